import { PAYOUTS_FIRST_PAGE } from "@propgate/contract";
import {
  accountId,
  NEW_PAYMENT,
  type Payout,
  payoutId,
  ratio,
  roundUsd,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { Accrual, PayoutsReading } from "../../../ledger/src/trading/network/port.ts";
import { payoutsAnswer, payoutsPage } from "./payouts.ts";

const ACCOUNT = accountId("1a3c5e7f-9b2d-4e6f-8a0c-2d4f6b8e0a1c");
const [MONDAY_22, MONDAY_29, MONDAY_5] = [
  unixMs(Date.UTC(2025, 11, 22)),
  unixMs(Date.UTC(2025, 11, 29)),
  unixMs(Date.UTC(2026, 0, 5)),
];

const WAITING_ONE: Payout = {
  id: payoutId(ACCOUNT, MONDAY_5),
  periodStartMs: MONDAY_29,
  periodEndMs: MONDAY_5,
  amount: roundUsd(320),
  split: ratio(0.8),
  createdAtMs: MONDAY_5,
  payment: NEW_PAYMENT,
};
const PAID_ONE: Payout = {
  ...WAITING_ONE,
  id: payoutId(ACCOUNT, MONDAY_29),
  periodStartMs: MONDAY_22,
  periodEndMs: MONDAY_29,
  amount: roundUsd(400),
  createdAtMs: MONDAY_29,
  payment: {
    status: "paid",
    rail: "onchain",
    provider: "base-usdc",
    reference: "tx-5f21c8",
    requestedAtMs: unixMs(1_766_998_800_000),
    paidAtMs: unixMs(1_767_085_200_000),
    paidAmount: roundUsd(400),
  },
};

const ACCRUAL: Accrual = {
  estimatedAmount: roundUsd(160),
  windowStartMs: MONDAY_5,
  asOfMs: unixMs(1_767_780_000_000),
  priorUnpaidAmount: roundUsd(320),
  earliestUnpaidPeriodStartMs: MONDAY_29,
  deferredBalance: null,
};
const FIRST_PAGE: PayoutsReading = {
  items: [WAITING_ONE, PAID_ONE],
  next: null,
  accrualStatus: "ok",
  accrual: ACCRUAL,
};

describe("a page of payouts [S2.5]", () => {
  test("a page of payouts reads as the published example", () => {
    expect(payoutsPage(payoutsAnswer(FIRST_PAGE), () => "unused")).toEqual(PAYOUTS_FIRST_PAGE);
  });

  test("a page of payouts shows the withheld amount, and the estimate only while there is one", () => {
    const accrual = { ...ACCRUAL, deferredBalance: roundUsd(140) };
    const held = payoutsAnswer({ ...FIRST_PAGE, accrual, accrualStatus: "unavailable" });
    expect(held.accrual).toMatchObject({ estimatedAmount: null, deferredBalance: 140 });
  });

  test("a page with one behind it has a cursor, a later page no accrual", () => {
    const next = { periodStartMs: MONDAY_22, id: PAID_ONE.id };
    const page = payoutsPage(
      { items: [], next, accrualStatus: "omitted", accrual: null },
      ({ id }) => `sealed ${id}`,
    );
    expect(page).toEqual({
      items: [],
      nextCursor: `sealed po_${ACCOUNT}_${MONDAY_29}`,
      accrualStatus: "omitted",
      accrual: null,
    });
  });
});
