import { describe, expect, test } from "vitest";
import { openDraft } from "../evolve/open-draft.ts";
import type { RecordPayout } from "../state/command.ts";
import { NEW_PAYMENT, type Payment, type Payout, payoutId } from "../state/payout.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import { createTestAccount, TEST_TIME_MS } from "../testing/test-account.ts";
import { ratio, roundUsd, unixMs } from "../units.ts";
import { recordPayout } from "./record.ts";

const ACCOUNT = createTestAccount();
const NOW = unixMs(TEST_TIME_MS + 5_000);
const EARLIER = unixMs(TEST_TIME_MS + 1_000);
const ID = payoutId(ACCOUNT.accountId, TEST_TIME_MS);
const PAYOUT: Payout = {
  id: ID,
  periodStartMs: unixMs(TEST_TIME_MS - 1_000),
  periodEndMs: TEST_TIME_MS,
  amount: roundUsd(500),
  split: ratio(1),
  createdAtMs: TEST_TIME_MS,
  payment: NEW_PAYMENT,
};
const MOMENT = { now: NOW, quotes: new Map(), instruments: TEST_CATALOGUE };

/** The payment of the payout after the command. */
function paymentAfter(before: Payment, command: Partial<RecordPayout>): unknown {
  const state = createTestAccount({ unpaid: [{ ...PAYOUT, payment: before }] });
  const draft = openDraft(state, MOMENT);
  const complete: RecordPayout = {
    type: "recordPayout",
    payoutId: ID,
    status: "processing",
    rail: null,
    provider: null,
    reference: null,
    paidAmount: null,
    ...command,
  };
  expect(recordPayout(draft, complete)).toEqual({ ok: true, value: null });
  const [event] = draft.events;
  return event?.type === "payoutRecorded" ? event.payout.payment : null;
}

describe("the state of a payment [D7.payment]", () => {
  test("a new payment is pending and manual", () => {
    expect(NEW_PAYMENT).toEqual({
      status: "pending",
      rail: "manual",
      provider: "manual",
      reference: null,
      requestedAtMs: null,
      paidAtMs: null,
      paidAmount: null,
    });
  });

  const processing: Payment = { ...NEW_PAYMENT, status: "processing", requestedAtMs: EARLIER };
  test.each<[string, Payment, Partial<RecordPayout>, Partial<Payment>]>([
    [
      "a pending payment becomes processing",
      NEW_PAYMENT,
      { status: "processing" },
      { requestedAtMs: NOW, paidAtMs: null },
    ],
    [
      "a pending payment is paid immediately",
      NEW_PAYMENT,
      { status: "paid" },
      { requestedAtMs: NOW, paidAtMs: NOW },
    ],
    [
      "a pending payment fails immediately",
      NEW_PAYMENT,
      { status: "failed" },
      { requestedAtMs: NOW, paidAtMs: null },
    ],
    [
      "a pending payment stays pending",
      NEW_PAYMENT,
      { status: "pending" },
      { requestedAtMs: null, paidAtMs: null },
    ],
    [
      "a processing payment is paid later",
      processing,
      { status: "paid" },
      { requestedAtMs: EARLIER, paidAtMs: NOW },
    ],
    [
      "a processing payment becomes pending again",
      processing,
      { status: "pending" },
      { requestedAtMs: EARLIER, paidAtMs: null },
    ],
  ])("%s", (_title, before, command, after) => {
    expect(paymentAfter(before, command)).toEqual({ ...before, status: command.status, ...after });
  });

  const known = { rail: "bank", provider: "stripe", reference: "77" } as const;
  test.each<[string, Partial<RecordPayout>, Partial<Payment>]>([
    ["with no new field", {}, known],
    ["with a new rail", { rail: "onchain" }, { ...known, rail: "onchain" }],
    ["with a new provider", { provider: "base-usdc" }, { ...known, provider: "base-usdc" }],
    ["with a new reference", { reference: "78" }, { ...known, reference: "78" }],
    [
      "with the paid amount",
      { status: "paid", paidAmount: roundUsd(500) },
      { ...known, paidAmount: roundUsd(500) },
    ],
  ])("a command %s keeps the other fields", (_, command, after) => {
    expect(paymentAfter({ ...processing, ...known }, command)).toMatchObject(after);
  });

  test.each(["pending", "processing", "failed"] as const)(
    "a payment that becomes %s has no paid amount, also if one was known before [D7.paidAmount]",
    (status) => {
      const paidAmount = roundUsd(500);
      expect(paymentAfter({ ...processing, paidAmount }, { status })).toMatchObject({
        paidAmount: null,
      });
      expect(paymentAfter(processing, { status, paidAmount })).toMatchObject({ paidAmount: null });
    },
  );

  test("a payment of an unknown payout is refused", () => {
    const draft = openDraft(ACCOUNT, MOMENT);
    const unchanged = { rail: null, provider: null, reference: null, paidAmount: null } as const;
    expect(
      recordPayout(draft, { type: "recordPayout", payoutId: ID, status: "paid", ...unchanged }),
    ).toEqual({ ok: false, refusal: { code: "payoutSettled", payoutId: ID } });
    expect(draft.events).toEqual([]);
  });
});

describe("the amount that was paid [D7.paidAmount]", () => {
  const exact = roundUsd(123.456_789);
  test.each([
    [123.45, true],
    [123.46, true],
    [123.466_789, true],
    [123.446_789, true],
    [123.466_79, false],
    [123.44, false],
    [123.47, false],
  ])("%d of 123.456789 is accepted: %j", (paid, isAccepted) => {
    const draft = openDraft(createTestAccount({ unpaid: [{ ...PAYOUT, amount: exact }] }), MOMENT);
    const result = recordPayout(draft, {
      type: "recordPayout",
      payoutId: ID,
      status: "paid",
      rail: null,
      provider: null,
      reference: null,
      paidAmount: roundUsd(paid),
    });
    expect(result).toEqual(
      isAccepted
        ? { ok: true, value: null }
        : { ok: false, refusal: { code: "paidAmountDiffers", amount: exact } },
    );
    expect(draft.events).toHaveLength(isAccepted ? 1 : 0);
  });
});
