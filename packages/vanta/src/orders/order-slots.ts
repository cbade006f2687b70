import type { Timer } from "@propgate/base";
import type { AccountId } from "@propgate/core";

/** Limits how many orders are sent at the same time, so that one slow account cannot use all slots. */
export interface OrderSlots {
  /**
   * Waits a short time for a slot. The returned function frees the slot. Null when no slot became free in time, or when
   * too many orders wait already.
   */
  acquire(accountId: AccountId): Promise<(() => void) | null>;
  usedSlots(): number;
}

/** The limits of concurrent orders, and of the orders that wait. */
export interface SlotLimits {
  readonly perAccountMax: number;
  readonly max: number;
  readonly waitMs: number;
  /** When this many orders wait, a further one does not wait. */
  readonly waitingMax: number;
}

interface Waiter {
  readonly accountId: AccountId;
  readonly admit: () => void;
}

export function createOrderSlots(timer: Timer, limits: SlotLimits): OrderSlots {
  const inside = new Map<AccountId, number>();
  const waiting = new Set<Waiter>();
  let total = 0;
  const hasFreeSlot = (id: AccountId): boolean =>
    total < limits.max && (inside.get(id) ?? 0) < limits.perAccountMax;
  const take = (id: AccountId): (() => void) => {
    total += 1;
    inside.set(id, (inside.get(id) ?? 0) + 1);
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      leave(id);
    };
  };
  const leave = (id: AccountId): void => {
    total -= 1;
    const left = (inside.get(id) ?? 1) - 1;
    if (left === 0) inside.delete(id);
    else inside.set(id, left);
    // The first waiter whose account has a free slot is admitted, in the order of arrival.
    const next = [...waiting].find(({ accountId }) => hasFreeSlot(accountId));
    next?.admit();
  };
  return {
    acquire(accountId) {
      if (hasFreeSlot(accountId)) return Promise.resolve(take(accountId));
      if (waiting.size >= limits.waitingMax) return Promise.resolve(null);
      return new Promise((resolve) => {
        const end = (place: (() => void) | null): void => {
          cancel();
          waiting.delete(waiter);
          resolve(place);
        };
        const waiter: Waiter = { accountId, admit: () => end(take(accountId)) };
        const cancel = timer.after(limits.waitMs, () => end(null));
        waiting.add(waiter);
      });
    },
    usedSlots: () => total,
  };
}
