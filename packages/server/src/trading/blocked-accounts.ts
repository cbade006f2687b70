import type { AccountId, UnixMs } from "@propgate/core";
import type { DueAccount } from "../storage/stores/account-store.ts";

/**
 * Accounts whose due work failed or lacks a price. Each attempt locks the account's row, so retries
 * slow down: after 1 s, 2 s, 4 s and so on, up to a minute.
 */
export interface BlockedAccounts {
  /** Whether the account's next retry is still in the future. */
  isWaiting(account: DueAccount, now: UnixMs): boolean;
  /** Records the end of an attempt. */
  tried(account: DueAccount, now: UnixMs, isDone: boolean): void;
  /** Forgets every other account: an account without due work is not blocked. */
  keepOnly(due: ReadonlySet<AccountId>): void;
}

const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;

interface Block {
  readonly dueAtMs: UnixMs;
  readonly waitMs: number;
  readonly triedAtMs: UnixMs;
}

export function createBlockedAccounts(): BlockedAccounts {
  const blocks = new Map<AccountId, Block>();
  const blockOf = ({ accountId, dueAtMs }: DueAccount): Block | null => {
    const block = blocks.get(accountId);
    return block?.dueAtMs === dueAtMs ? block : null;
  };
  return {
    isWaiting(account, now) {
      const block = blockOf(account);
      if (block === null) return false;
      const passedMs = now - block.triedAtMs;
      // A clock that was set back must not lengthen the wait.
      return passedMs >= 0 && passedMs < block.waitMs;
    },
    tried(account, now, isDone) {
      const { accountId, dueAtMs } = account;
      if (isDone) {
        blocks.delete(accountId);
        return;
      }
      const before = blockOf(account);
      const waitMs = before === null ? FIRST_WAIT_MS : Math.min(WAIT_MAX_MS, 2 * before.waitMs);
      blocks.set(accountId, { dueAtMs, waitMs, triedAtMs: now });
    },
    keepOnly(due) {
      for (const id of blocks.keys()) if (!due.has(id)) blocks.delete(id);
    },
  };
}
