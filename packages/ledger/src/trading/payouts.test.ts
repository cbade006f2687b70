import { type AccountId, unixMs } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../server/src/testing/manual-engine.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** 2026-01-12, the Monday after the tests' noon. */
const MONDAY = unixMs(TEST_NOON - 12 * HOUR_MS + WEEK_MS);
const NOTHING_NEW = { rail: null, provider: null, reference: null, paidAmount: null };

await describeOnEachDatabase("the payout desk", (database) => {
  let engine: ManualEngine;
  let ids: readonly AccountId[];
  const payoutOf = (id: AccountId | undefined, endMs = MONDAY) => `po_${id}_${endMs}`;

  beforeAll(async () => {
    engine = createManualEngine(database());
    ids = [await engine.openFunded(), await engine.openFunded(), await engine.openFunded()];
    for (const id of ids) await engine.earn(id, 51_000);
    engine.now = MONDAY;
    await engine.due.runDue();
  });

  test("the payout desk finds a payout by its id alone [D7.payment]", async () => {
    expect(await engine.payouts.find(payoutOf(ids[0]))).toEqual({
      accountId: ids[0],
      restored: false,
      payout: {
        id: payoutOf(ids[0]),
        periodStartMs: TEST_NOON,
        periodEndMs: MONDAY,
        // The profit is 1,000 USD less fees of 0.03 % of 50,000 and of 51,000.
        amount: 969_700_000,
        split: 1,
        createdAtMs: MONDAY,
        payment: {
          status: "pending",
          rail: "manual",
          provider: "manual",
          reference: null,
          requestedAtMs: null,
          paidAtMs: null,
          paidAmount: null,
        },
      },
    });
  });

  test.each([
    ["", "nothing"],
    ["po_", "nothing behind it"],
    [`po_not-a-uuid_${MONDAY}`, "no account"],
    [`po_${"0".repeat(36)}_${MONDAY}`, "what is no uuid"],
    ["po_00000000-0000-4000-8000-000000000000_1", "an account that is not there"],
    ["po_00000000-0000-4000-8000-000000000000_99999999999999999999", "a time beyond all"],
    ["po_00000000-0000-4000-8000-000000000000_1'; drop table payouts", "SQL"],
  ])("the payout desk knows no payout %j: %s", async (id) => {
    expect(await engine.payouts.find(id)).toBe(null);
    const record = { status: "paid", ...NOTHING_NEW } as const;
    expect(await engine.payouts.record(id, record)).toBe(null);
  });

  test("the payout desk finds nothing for a time at which no period ended, or for another spelling", async () => {
    expect(await engine.payouts.find(payoutOf(ids[0], unixMs(MONDAY + 1)))).toBe(null);
    expect(await engine.payouts.find(payoutOf(ids[0]).toUpperCase())).toBe(null);
  });

  test("a payment is recorded once [D7.payment]", async () => {
    const second = payoutOf(ids[1]);
    const wire = { rail: "bank", provider: "acme", reference: "wire 7", paidAmount: null } as const;
    const paid = { ...wire, status: "paid" } as const;
    expect(await engine.payouts.record(second, paid)).toMatchObject({ ok: true });
    const begun = { ...NOTHING_NEW, status: "processing" } as const;
    expect(await engine.payouts.find(second)).toMatchObject({
      payout: { payment: { ...paid, requestedAtMs: MONDAY, paidAtMs: MONDAY } },
    });
    expect(await engine.payouts.record(second, begun)).toMatchObject({
      ok: false,
      refusal: { code: "payoutSettled" },
    });
  });
});
