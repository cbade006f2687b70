import type { AccrualItem, Linked, PayoutItem, Payouts } from "@propgate/contract";
import { dollars, type Payout } from "@propgate/core";
import type { Accrual, PayoutsPosition, PayoutsReading } from "@propgate/ledger";
import type { PayoutsAnswer } from "../network/wire-network.ts";
import { PAYOUT_STATUS_WORDS } from "../wire.ts";
import { percentText, roundedPercent } from "./format.ts";
import { usdOrNull } from "./usd-or-null.ts";

/** Payouts in the API's form. @rule S2.5 */
export function payoutsAnswer({ items, next, accrual, ...reading }: PayoutsReading): PayoutsAnswer {
  const { accrualStatus } = reading;
  return {
    items: items.map(payoutItem),
    next,
    accrualStatus,
    accrual: accrual === null ? null : accrualItem(accrual, accrualStatus),
  };
}

/**
 * `data` of GET payouts: the items, the cursor of the next page, the status of the accrual and the accrual. `cursorOf`
 * encodes the start of the next page. @rule S4.1.cursor @rule S2.5 decides
 */
export function payoutsPage(
  { next, ...answer }: PayoutsAnswer,
  cursorOf: (position: PayoutsPosition) => string,
): Payouts<Linked> {
  const { items, accrualStatus, accrual } = answer;
  return { items, nextCursor: next === null ? null : cursorOf(next), accrualStatus, accrual };
}

/** A payout in the API's form. */
export function payoutItem(record: Payout): PayoutItem {
  const { payment } = record;
  return {
    id: record.id,
    periodStartMs: record.periodStartMs,
    periodEndMs: record.periodEndMs,
    amount: dollars(record.amount),
    currency: "USD",
    profitSplit: percentText(record.split),
    profitSplitPercent: roundedPercent(record.split),
    status: PAYOUT_STATUS_WORDS[payment.status],
    rail: payment.rail,
    provider: payment.provider,
    reference: payment.reference,
    alphaAmount: null,
    alphaDestination: null,
    requestedAtMs: payment.requestedAtMs,
    paidAtMs: payment.paidAtMs,
    paidAmount: usdOrNull(payment.paidAmount),
    createdAtMs: record.createdAtMs,
  };
}

function accrualItem(accrual: Accrual, status: PayoutsReading["accrualStatus"]): AccrualItem {
  return {
    estimatedAmount: status === "ok" ? usdOrNull(accrual.estimatedAmount) : null,
    windowStartMs: accrual.windowStartMs,
    asOfMs: accrual.asOfMs,
    priorUnpaidAmount: dollars(accrual.priorUnpaidAmount),
    earliestUnpaidPeriodStartMs: accrual.earliestUnpaidPeriodStartMs,
    deferredBalance: usdOrNull(accrual.deferredBalance),
  };
}
