import type { Clock } from "@propgate/base";
import type { AccountId, UnixMs } from "@propgate/core";
import { type LinkedAccount, putRecent } from "@propgate/ledger";
import { decodeSettlements, type Settlements } from "../dashboard/settlements.ts";
import type { Validator } from "../upstream/port.ts";

/** Reads payouts from the network, at most once a minute for each account. */
export interface PayoutReader {
  /** `none`: the network has no history of the account. `unreachable`: there is no usable answer. */
  read(account: PaidAccount): Promise<Settlements | "none" | "unreachable">;
}

type PaidAccount = Pick<LinkedAccount, "accountId" | "hotkey" | "subaccountUuid">;

interface KnownAnswer {
  readonly atMs: UnixMs;
  readonly answer: ReturnType<PayoutReader["read"]>;
}

const READ_INTERVAL_MS = 60_000;
const ACCOUNTS_MAX = 2_000;
/** All weeks until the present, with the live result of open positions. */
const ALL_WEEKS = { startMs: 0, endMs: null } as const;

export function createPayoutReader({
  validator,
  clock,
}: {
  readonly validator: Pick<Validator, "payout">;
  readonly clock: Clock;
}): PayoutReader {
  const known = new Map<AccountId, KnownAnswer>();
  const ask: PayoutReader["read"] = async (account) => {
    const answer = await validator.payout(account.subaccountUuid, ALL_WEEKS);
    if (answer.ok) {
      const decoded = decodeSettlements(answer.value, account);
      return decoded.ok ? decoded.settlements : "unreachable";
    }
    const { failure } = answer;
    return failure.kind === "refused" && failure.status === 404 ? "none" : "unreachable";
  };
  return {
    read(account) {
      const { accountId } = account;
      const now = clock.now();
      const before = known.get(accountId);
      if (before !== undefined && now - before.atMs < READ_INTERVAL_MS) return before.answer;
      const value = { atMs: now, answer: ask(account) };
      putRecent(known, { key: accountId, value, max: ACCOUNTS_MAX });
      return value.answer;
    },
  };
}
