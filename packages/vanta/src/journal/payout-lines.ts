import { payoutId, unixMs } from "@propgate/core";
import type { LinkedAccount, LinkedRecord, ReadingLines } from "@propgate/ledger";
import { observedEvent } from "@propgate/wire";
import type { Settlement } from "../dashboard/settlements.ts";
import { PAYMENT_NOT_KNOWN, payoutAmountOf, payoutCycleOf } from "../views/payouts.ts";
import { type ObservedChange, observedAccountChange } from "./observed-change.ts";
import { linesOf } from "./reading-lines.ts";

/**
 * The lines of weeks that have closed since the account was linked; null when there are none. The validator makes the
 * payments of these weeks and does not report them.
 */
export function payoutLines(
  account: Pick<LinkedAccount, "accountId" | "linkedAtMs" | "profitSplit">,
  records: readonly LinkedRecord[],
): ReadingLines | null {
  return linesOf(records.flatMap((record) => closedWeek(account, record)));
}

function closedWeek(
  {
    accountId,
    linkedAtMs,
    profitSplit,
  }: Pick<LinkedAccount, "accountId" | "linkedAtMs" | "profitSplit">,
  record: LinkedRecord,
): readonly ObservedChange[] {
  const week = JSON.parse(record.body) as Settlement;
  if (week.endMs < linkedAtMs) return [];
  const { createdAtMs, ...period } = payoutCycleOf(week);
  const { periodEndMs } = period;
  const amount = payoutAmountOf(week, profitSplit);
  const payout =
    amount === null
      ? null
      : {
          id:
            payoutId(accountId, unixMs(periodEndMs)) + record.id.slice(String(periodEndMs).length),
          ...period,
          amount,
          profitSplit,
          ...PAYMENT_NOT_KNOWN,
          createdAtMs,
        };
  const event = observedEvent(
    "payout.cycle_closed",
    { ...period, profit: null, gross: null, share: null, released: null, isHeld: null, payout },
    periodEndMs,
  );
  return [{ ...observedAccountChange(event), record }];
}
