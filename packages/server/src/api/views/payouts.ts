import type { AccrualItem, PayoutItem, Payouts } from "@propgate/contract";
import { dollars, type MicroUsd, type Payout } from "@propgate/core";
import type { Accrual, PayoutsPosition, PayoutsReading } from "../../trading/network/port.ts";
import { PAYOUT_STATUS_WORDS } from "../wire.ts";
import { percentText, roundedPercent } from "./format.ts";

/** A page of payouts in wire words; `cursorOf` encodes the start of the next page. @rule S2.5 */
export function payoutsView(
  reading: PayoutsReading,
  cursorOf: (position: PayoutsPosition) => string,
): Payouts {
  return {
    items: reading.items.map(payoutItem),
    nextCursor: reading.next === null ? null : cursorOf(reading.next),
    accrualStatus: reading.accrualStatus,
    accrual: reading.accrual === null ? null : accrualItem(reading.accrual, reading.accrualStatus),
  };
}

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

function usdOrNull(amount: MicroUsd | null): number | null {
  return amount === null ? null : dollars(amount);
}
