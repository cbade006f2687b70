import type { OwnerId } from "@propgate/core";
import type { Lane } from "../storage/lane-store.ts";

/** Max deliveries under way at the same time: in this process, and to one endpoint. */
const SLOTS_MAX = 64;
const SLOTS_PER_ENDPOINT = 8;
/**
 * Max places of endpoints whose last attempt got no answer. Such receivers hold a place for as long as a delivery may
 * take, so half of the places stay free for the others.
 */
const SLOTS_OF_SILENT = SLOTS_MAX / 2;
/**
 * Max places of the endpoints of all owners, and of one. A receiver may answer just before the end of its time, so
 * without these some traders' receivers would delay the webhooks of the operator and of all other traders.
 */
const PLACES_OF_OWNERS = SLOTS_MAX / 2;
const PLACES_OF_OWNER = 4;

/** The endpoint of a lane, as far as its places depend on it. */
export interface SlotEndpoint {
  /** The owner who made it; null for an endpoint of the operator. */
  readonly ownerId: OwnerId | null;
}

/**
 * Limits the deliveries under way: one for each lane, and a maximum for each endpoint, for owners and for all.
 * @rule D9.webhookPlaces decides
 */
export interface DeliverySlots {
  readonly isEmpty: boolean;
  /**
   * Takes a place for the lane; the returned function gives it back. Null when the lane has a place already or no place
   * is left for it.
   */
  takeSlot(
    lane: Lane,
    endpoint: SlotEndpoint,
    isSilent: (endpointId: string) => boolean,
  ): (() => void) | null;
  /** Resolves when no place is taken. */
  waitUntilEmpty(): Promise<void>;
}

interface Place extends SlotEndpoint {
  readonly endpointId: string;
}

export function createDeliverySlots(): DeliverySlots {
  const taken = new Map<string, Place>();
  let waiting: (() => void)[] = [];

  const count = (isCounted: (place: Place) => boolean): number =>
    [...taken.values()].filter(isCounted).length;

  /** Whether the owner who made an endpoint, or the operator with null, may have one more place. */
  const hasPlaceFor = (ownerId: OwnerId | null): boolean =>
    ownerId === null ||
    (count((place) => place.ownerId !== null) < PLACES_OF_OWNERS &&
      count((place) => place.ownerId === ownerId) < PLACES_OF_OWNER);

  return {
    get isEmpty() {
      return taken.size === 0;
    },
    takeSlot({ endpointId, accountId, ownerId: ofQueue }, { ownerId }, isSilent) {
      const lane = `${endpointId} ${accountId} ${ofQueue}`;
      if (taken.has(lane) || taken.size >= SLOTS_MAX) return null;
      if (count((place) => place.endpointId === endpointId) >= SLOTS_PER_ENDPOINT) return null;
      if (isSilent(endpointId) && count((one) => isSilent(one.endpointId)) >= SLOTS_OF_SILENT) {
        return null;
      }
      if (!hasPlaceFor(ownerId)) return null;
      taken.set(lane, { endpointId, ownerId });
      return () => {
        taken.delete(lane);
        if (taken.size > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      };
    },
    waitUntilEmpty: () =>
      taken.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}
