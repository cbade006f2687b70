import { LIMITS } from "@propgate/contract";
import type { AccountId } from "@propgate/core";

/** Releases a slot; further calls have no effect. */
export type ReleaseSlot = () => void;

/** Counts the open streams of this process: those of keys, and the live pages of people. */
export interface StreamSlots {
  /** Takes one slot of the process; null when none is free. */
  take(): ReleaseSlot | null;
  /**
   * Takes three slots for a stream of a key: one of the process, one of the key and one of the account. Null when one
   * of the three has no free slot.
   */
  takeForKey(of: { readonly keyId: string; readonly accountId: AccountId }): ReleaseSlot | null;
}

/**
 * Creates the slots of the streams of one process. `take` and `takeForKey` return null when a maximum is reached: of
 * the key, of the account, or of the process. @rule D9.streamPlaces decides
 */
export function createStreamSlots(): StreamSlots {
  const all = createCount<"all">(LIMITS.streamsMax);
  const keys = createCount<string>(LIMITS.streamsPerKeyMax);
  const accounts = createCount<AccountId>(LIMITS.streamsPerAccountMax);
  return {
    take: () => (all.isFull("all") ? null : callOnce([all.add("all")])),
    takeForKey({ keyId, accountId }) {
      if (keys.isFull(keyId) || accounts.isFull(accountId) || all.isFull("all")) return null;
      return callOnce([keys.add(keyId), accounts.add(accountId), all.add("all")]);
    },
  };
}

function callOnce(leaving: readonly (() => void)[]): ReleaseSlot {
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    for (const leave of leaving) leave();
  };
}

/** Counts the taken slots of each name, at most `max` of them. */
function createCount<Name>(max: number) {
  const open = new Map<Name, number>();
  return {
    isFull: (name: Name): boolean => (open.get(name) ?? 0) >= max,
    add(name: Name): () => void {
      open.set(name, (open.get(name) ?? 0) + 1);
      return () => {
        const left = (open.get(name) ?? 0) - 1;
        if (left > 0) open.set(name, left);
        else open.delete(name);
      };
    },
  };
}
