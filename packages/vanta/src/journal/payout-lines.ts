import { dollars, payoutId, unixMs } from "@propgate/core";
import type { LinkedAccount, LinkedRecord, ReadingLines } from "@propgate/ledger";
import { observedEvent } from "@propgate/wire";
import type { Settlement } from "../dashboard/settlements.ts";
import { timesUsd } from "../views/exact-usd.ts";
import { linesOf } from "./reading-lines.ts";
import { type Sighting, sightingOfAccount } from "./sighting.ts";

/** The weeks that have closed since the account was linked; their payment is the validator's. */
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
): readonly Sighting[] {
  const week = JSON.parse(record.body) as Settlement;
  if (week.endMs < linkedAtMs) return [];
  const { startMs: periodStartMs, endMs: periodEndMs } = week;
  const amount = timesUsd(week.payout, profitSplit);
  const period = { periodStartMs, periodEndMs };
  const payout =
    amount === null || amount <= 0
      ? null
      : {
          id:
            payoutId(accountId, unixMs(periodEndMs)) + record.id.slice(String(periodEndMs).length),
          ...period,
          amount: dollars(amount),
          profitSplit,
          ...NOT_KNOWN,
        };
  const event = observedEvent(
    "payout.cycle_closed",
    { ...period, profit: null, gross: null, share: null, released: null, isHeld: null, payout },
    periodEndMs,
  );
  return [{ ...sightingOfAccount(event), record }];
}

/** The validator pays, and does not say how. */
const NOT_KNOWN = {
  status: null,
  rail: null,
  provider: null,
  reference: null,
  requestedAtMs: null,
  paidAtMs: null,
  paidAmount: null,
  createdAtMs: null,
} as const;
