import { describe, expect, test } from "vitest";
import { openDraft } from "../evolve/open-draft.ts";
import type { RecordPayout } from "../state/command.ts";
import { NEW_PAYMENT, type Payment, type Payout, payoutId } from "../state/payout.ts";
import { CATALOGUE } from "../testing/catalogue.ts";
import { AT, madeAccount } from "../testing/made-account.ts";
import { ratio, roundUsd, unixMs } from "../units.ts";
import { recordPayout } from "./record.ts";

const ACCOUNT = madeAccount();
const NOW = unixMs(AT + 5_000);
const EARLIER = unixMs(AT + 1_000);
const ID = payoutId(ACCOUNT.accountId, AT);
const PAYOUT: Payout = {
  id: ID,
  periodStartMs: unixMs(AT - 1_000),
  periodEndMs: AT,
  amount: roundUsd(500),
  split: ratio(1),
  createdAtMs: AT,
  payment: NEW_PAYMENT,
};
const MOMENT = { now: NOW, quotes: new Map(), instruments: CATALOGUE };

/** What stands after the command where this payment stood before. */
function recorded(before: Payment, command: Partial<RecordPayout>): unknown {
  const state = madeAccount({ unpaid: [{ ...PAYOUT, payment: before }] });
  const draft = openDraft(state, MOMENT);
  const told: RecordPayout = {
    ...{ type: "recordPayout", payoutId: ID, status: "processing" },
    ...{ rail: null, provider: null, reference: null },
    ...command,
  };
  expect(recordPayout(draft, told)).toEqual({ ok: true, value: null });
  const [event] = draft.events;
  return event?.type === "payoutRecorded" ? event.payout.payment : null;
}

describe("how far a payment is [D7.payment]", () => {
  test("one that nobody has taken up waits, by hand", () => {
    expect(NEW_PAYMENT).toEqual({
      status: "pending",
      rail: "manual",
      provider: "manual",
      reference: null,
      requestedAtMs: null,
      paidAtMs: null,
    });
  });

  const taken: Payment = { ...NEW_PAYMENT, status: "processing", requestedAtMs: EARLIER };
  test.each<[string, Payment, Partial<RecordPayout>, Partial<Payment>]>([
    ["taken up", NEW_PAYMENT, { status: "processing" }, { requestedAtMs: NOW, paidAtMs: null }],
    ["paid at once", NEW_PAYMENT, { status: "paid" }, { requestedAtMs: NOW, paidAtMs: NOW }],
    ["failed at once", NEW_PAYMENT, { status: "failed" }, { requestedAtMs: NOW, paidAtMs: null }],
    ["still waiting", NEW_PAYMENT, { status: "pending" }, { requestedAtMs: null, paidAtMs: null }],
    ["paid later", taken, { status: "paid" }, { requestedAtMs: EARLIER, paidAtMs: NOW }],
    ["waiting again", taken, { status: "pending" }, { requestedAtMs: EARLIER, paidAtMs: null }],
  ])("%s", (...[, before, command, after]) => {
    expect(recorded(before, command)).toEqual({ ...before, status: command.status, ...after });
  });

  const known = { rail: "bank", provider: "stripe", reference: "77" } as const;
  test.each<[string, Partial<RecordPayout>, Partial<Payment>]>([
    ["nothing of it is told", {}, known],
    ["the rail is", { rail: "onchain" }, { ...known, rail: "onchain" }],
    ["the provider is", { provider: "base-usdc" }, { ...known, provider: "base-usdc" }],
    ["the number is", { reference: "78" }, { ...known, reference: "78" }],
  ])("what is not told stays: %s", (_, command, after) => {
    expect(recorded({ ...taken, ...known }, command)).toMatchObject(after);
  });

  test("what is not owed cannot be recorded", () => {
    const draft = openDraft(ACCOUNT, MOMENT);
    const told = { rail: null, provider: null, reference: null } as const;
    expect(
      recordPayout(draft, { type: "recordPayout", payoutId: ID, status: "paid", ...told }),
    ).toEqual({ ok: false, refusal: { code: "payoutSettled", payoutId: ID } });
    expect(draft.events).toEqual([]);
  });
});
