import { type Timer, yieldToEventLoop } from "@propgate/base";
import { LIMITS } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { OnRequestEnd } from "@propgate/ledger";

/** Ends an expensive read; a second call has no effect. */
export type EndRead = () => void;

/**
 * Bounds the reads that render much data. Only a few of one account are under way at the same time, with all its keys
 * counted together. Further reads wait in the order of their arrival.
 */
export interface ExpensiveReads {
  /** Begins a read when a slot is free; null when no slot became free in time. */
  begin(account: AccountId): Promise<EndRead | null>;
  /** Begins a read of a stream, which may wait without a limit; null when the stream is over. @rule D9.stream */
  beginInStream(account: AccountId, over: OnRequestEnd): Promise<EndRead | null>;
}

interface AccountReads {
  reads: number;
  readonly waiting: Set<() => void>;
}

/**
 * At most `LIMITS.expensiveReadsMax` reads of an account are under way. Further reads get the slots of reads that end,
 * in the order of arrival. A read that belongs to no stream gives up after it has waited for
 * `LIMITS.expensiveReadWaitMs`. @rule D12.share D13.expensiveReads decides
 */
export function createExpensiveReads(timer: Timer): ExpensiveReads {
  const accounts = new Map<AccountId, AccountReads>();
  const endOf = (account: AccountId, underWay: AccountReads): EndRead => {
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const [next] = underWay.waiting;
      // The next read gets the slot of the read that ends, so the count does not change.
      if (next !== undefined) return next();
      underWay.reads -= 1;
      if (underWay.reads === 0) accounts.delete(account);
    };
  };
  const begin = async (account: AccountId, over: OnRequestEnd): Promise<EndRead | null> => {
    const underWay = accounts.get(account) ?? { reads: 0, waiting: new Set() };
    accounts.set(account, underWay);
    if (underWay.reads < LIMITS.expensiveReadsMax) underWay.reads += 1;
    else {
      if (!(await waitForSlot(underWay, over))) return null;
      // The embedded database works in this thread. Reads that follow each other directly would let no other work run.
      await yieldToEventLoop();
    }
    return endOf(account, underWay);
  };
  return {
    begin: (account) =>
      begin(account, (listener) => timer.after(LIMITS.expensiveReadWaitMs, listener)),
    beginInStream: begin,
  };
}

/** Waits for a slot; false when `over` ends the wait before a slot is free. */
function waitForSlot({ waiting }: AccountReads, over: OnRequestEnd): Promise<boolean> {
  return new Promise((resolve) => {
    let stopListening = (): void => undefined;
    const take = (): void => {
      waiting.delete(take);
      stopListening();
      resolve(true);
    };
    waiting.add(take);
    stopListening = over(() => {
      waiting.delete(take);
      resolve(false);
    });
  });
}
