import type { OwnerId } from "@propgate/core";
import type { Lane } from "../storage/lane-store.ts";

/** The maximum number of deliveries under way at the same time: in this process, and to one endpoint. */
const SLOTS_MAX = 64;
const SLOTS_PER_ENDPOINT = 8;
/**
 * The maximum number of slots of endpoints whose last attempt got no answer. Such receivers hold a slot for as long
 * as a delivery may take, so half of the slots stay free for the others.
 */
const SLOTS_OF_SILENT = SLOTS_MAX / 2;
/**
 * The maximum number of slots of the endpoints of all owners together, and of one owner. A receiver may answer just
 * before its time limit. Without these maximums, slow receivers of some traders would delay the webhooks of the
 * operator and of all other traders.
 */
const SLOTS_OF_OWNERS = SLOTS_MAX / 2;
const SLOTS_PER_OWNER = 4;

/** The fields of an endpoint on which the slots of its lanes depend. */
export interface SlotEndpoint {
  /** The owner who made it; null for an endpoint of the operator. */
  readonly ownerId: OwnerId | null;
}

/**
 * Limits the deliveries under way: one for each lane, and a maximum for each endpoint, for owners and for all.
 * @rule D9.webhookSlots decides
 */
export interface DeliverySlots {
  readonly isEmpty: boolean;
  /**
   * Takes a slot for the lane; the returned function releases it. Null when the lane has a slot already or no slot is
   * free for it.
   */
  takeSlot(
    lane: Lane,
    endpoint: SlotEndpoint,
    isSilent: (endpointId: string) => boolean,
  ): (() => void) | null;
  /** Resolves when no slot is taken. */
  waitUntilEmpty(): Promise<void>;
}

interface Slot extends SlotEndpoint {
  readonly endpointId: string;
}

export function createDeliverySlots(): DeliverySlots {
  const taken = new Map<string, Slot>();
  let waiting: (() => void)[] = [];

  const count = (isCounted: (slot: Slot) => boolean): number =>
    [...taken.values()].filter(isCounted).length;

  /** Whether the owner who made an endpoint, or the operator with null, may have one more slot. */
  const hasSlotFor = (ownerId: OwnerId | null): boolean =>
    ownerId === null ||
    (count((slot) => slot.ownerId !== null) < SLOTS_OF_OWNERS &&
      count((slot) => slot.ownerId === ownerId) < SLOTS_PER_OWNER);

  return {
    get isEmpty() {
      return taken.size === 0;
    },
    takeSlot(lane, { ownerId }, isSilent) {
      const key = laneKey(lane);
      const { endpointId } = lane;
      if (taken.has(key) || taken.size >= SLOTS_MAX) return null;
      if (count((slot) => slot.endpointId === endpointId) >= SLOTS_PER_ENDPOINT) return null;
      if (isSilent(endpointId) && count((slot) => isSilent(slot.endpointId)) >= SLOTS_OF_SILENT) {
        return null;
      }
      if (!hasSlotFor(ownerId)) return null;
      taken.set(key, { endpointId, ownerId });
      return () => {
        taken.delete(key);
        if (taken.size > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      };
    },
    waitUntilEmpty: () =>
      taken.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Names a lane in a map or a set. */
export function laneKey({ endpointId, accountId, ownerId }: Lane): string {
  return `${endpointId} ${accountId} ${ownerId}`;
}
