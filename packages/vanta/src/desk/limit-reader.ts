import type { Clock } from "@propgate/base";
import type { AccountId, UnixMs } from "@propgate/core";
import { type LinkedAccount, putRecent } from "@propgate/ledger";
import { decodeLimits } from "../dashboard/limits.ts";
import type { LinkedLimits } from "../dashboard/linked-readings.ts";
import type { Validator } from "../upstream/port.ts";

/** Reads the limits of accounts. They seldom change. */
export interface LimitReader {
  /**
   * The limits that the network sends. `known` has those of an earlier read; null when there was none. Returns `known`
   * when it is from the last minute, and when the limits cannot be read.
   */
  read(
    account: Pick<LinkedAccount, "accountId" | "hotkey">,
    known: LinkedLimits | null,
  ): Promise<LinkedLimits | null>;
}

const READ_INTERVAL_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

export function createLimitReader({
  validator,
  clock,
}: {
  readonly validator: Pick<Validator, "limits">;
  readonly clock: Clock;
}): LimitReader {
  const readAtMs = new Map<AccountId, UnixMs>();
  return {
    async read({ accountId, hotkey }, known) {
      const now = clock.now();
      const last = readAtMs.get(accountId);
      if (known !== null && last !== undefined && now - last < READ_INTERVAL_MS) return known;
      const answer = await validator.limits(hotkey);
      const decoded = answer.ok ? decodeLimits(answer.value) : null;
      if (decoded === null || !decoded.ok) return known;
      putRecent(readAtMs, { key: accountId, value: now, max: ACCOUNTS_MAX });
      return decoded.limits;
    },
  };
}
