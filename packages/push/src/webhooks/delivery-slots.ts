import type { Lane } from "../storage/lane-store.ts";

/** Max deliveries under way at the same time: in this process, and to one endpoint. */
const SLOTS_MAX = 64;
const SLOTS_PER_ENDPOINT = 8;
/**
 * Max places of endpoints whose last attempt got no answer. Such receivers hold a place for as long as a delivery may
 * take, so half of the places stay free for the others.
 */
const SLOTS_OF_SILENT = SLOTS_MAX / 2;

/** Limits the deliveries under way: one for each lane, and a maximum for each endpoint and for all. */
export interface DeliverySlots {
  readonly isEmpty: boolean;
  /**
   * Takes a place for the lane; the returned function gives it back. Null when the lane has a place already or no place
   * is left for it.
   */
  takeSlot(lane: Lane, isSilent: (endpointId: string) => boolean): (() => void) | null;
  /** Resolves when no place is taken. */
  waitUntilEmpty(): Promise<void>;
}

export function createDeliverySlots(): DeliverySlots {
  const taken = new Map<string, string>();
  let waiting: (() => void)[] = [];

  const count = (isCounted: (endpointId: string) => boolean): number =>
    [...taken.values()].filter(isCounted).length;

  return {
    get isEmpty() {
      return taken.size === 0;
    },
    takeSlot({ endpointId, accountId, ownerId }, isSilent) {
      const lane = `${endpointId} ${accountId} ${ownerId}`;
      if (taken.has(lane) || taken.size >= SLOTS_MAX) return null;
      if (count((one) => one === endpointId) >= SLOTS_PER_ENDPOINT) return null;
      if (isSilent(endpointId) && count(isSilent) >= SLOTS_OF_SILENT) return null;
      taken.set(lane, endpointId);
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
