import type { AccountId, AwaitedPrice, PairId, Quote, UnixMs } from "@propgate/core";
import type { DueAccount } from "../storage/stores/account-store.ts";
import { mergeByPrice, type WaitingCount } from "./waiting-counts.ts";

/**
 * Accounts whose due work failed or waits for a price. Each attempt locks the account's row, so retries slow down: they
 * follow after 1 s, 2 s, 4 s and so on, up to a minute. A new quote of the pair that an account waits for ends the
 * account's wait. So thousands of accounts that wait for one pair are soon tried only once a minute each until its
 * quote comes.
 */
export interface BlockedAccounts {
  /** True while the account's next retry is in the future and the pair that the account waits for has no new quote. */
  isWaiting(account: DueAccount, now: UnixMs): boolean;
  /** Records how an attempt ended. `end` is a price when the work waits for that price. */
  recordAttempt(account: DueAccount, now: UnixMs, end: "done" | "failed" | AwaitedPrice): void;
  /** Forgets the accounts that are not in `due`: an account without due work is not blocked. */
  keepOnly(due: ReadonlySet<AccountId>): void;
  /** The prices that accounts wait for, sorted by the number of accounts, greatest first. */
  awaitedPrices(): readonly AwaitedPriceCount[];
}

/** A price that due work waits for. */
export interface AwaitedPriceCount extends WaitingCount {
  /** The due time of the oldest work that waits for the price. */
  readonly oldestDueAtMs: UnixMs;
}

const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;

interface Block {
  readonly dueAtMs: UnixMs;
  readonly waitMs: number;
  readonly triedAtMs: UnixMs;
  readonly awaited: AwaitedPrice | null;
  /** The quote that the awaited pair had at the attempt. */
  readonly quote: Quote | undefined;
}

export function createBlockedAccounts(quotes: {
  get(pair: PairId): Quote | undefined;
}): BlockedAccounts {
  const blocks = new Map<AccountId, Block>();
  const blockOf = ({ accountId, dueAtMs }: DueAccount): Block | null => {
    const block = blocks.get(accountId);
    return block?.dueAtMs === dueAtMs ? block : null;
  };
  return {
    isWaiting(account, now) {
      const block = blockOf(account);
      if (block === null) return false;
      if (block.awaited !== null && quotes.get(block.awaited.pair) !== block.quote) return false;
      const passedMs = now - block.triedAtMs;
      // A clock that was set back must not lengthen the wait.
      return passedMs >= 0 && passedMs < block.waitMs;
    },
    recordAttempt(account, now, end) {
      const { accountId, dueAtMs } = account;
      if (end === "done") {
        blocks.delete(accountId);
        return;
      }
      const before = blockOf(account);
      const waitMs = before === null ? FIRST_WAIT_MS : Math.min(WAIT_MAX_MS, 2 * before.waitMs);
      const awaited = end === "failed" ? null : end;
      const quote = awaited === null ? undefined : quotes.get(awaited.pair);
      blocks.set(accountId, { dueAtMs, waitMs, triedAtMs: now, awaited, quote });
    },
    keepOnly(due) {
      for (const id of blocks.keys()) if (!due.has(id)) blocks.delete(id);
    },
    awaitedPrices: () =>
      combineAwaited(
        [...blocks.values()].flatMap(({ awaited, dueAtMs }) =>
          awaited === null ? [] : [{ ...awaited, accounts: 1, oldestDueAtMs: dueAtMs }],
        ),
      ),
  };
}

/** Merges the lists. Of one price, the numbers of accounts are added up, and the oldest due time is kept. */
export function mergeAwaited(
  lists: readonly (readonly AwaitedPriceCount[])[],
): readonly AwaitedPriceCount[] {
  return combineAwaited(lists.flat());
}

function combineAwaited(counts: readonly AwaitedPriceCount[]): readonly AwaitedPriceCount[] {
  return mergeByPrice(counts, (one, other) =>
    other.oldestDueAtMs < one.oldestDueAtMs ? other : one,
  );
}
