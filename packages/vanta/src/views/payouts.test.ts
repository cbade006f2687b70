import { unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { PayoutsPosition } from "../../../ledger/src/trading/network/port.ts";
import type { Settlement, Settlements } from "../dashboard/settlements.ts";
import { MADE_INFO_SECTION } from "../testing/made-dashboard.ts";
import { madeReadings } from "../testing/made-readings.ts";
import { RECORDED_ACCOUNT } from "../testing/recorded-subaccount.ts";
import { linkedPayoutsView, payoutRecords } from "./payouts.ts";

const WEEK_MS = 7 * 86_400_000;
/** Monday 2026-11-16 00:00 UTC. `NOW` is the Wednesday after it. */
const MONDAY = 1_794_787_200_000;
const NOW = unixMs(1_794_996_000_000);

const week = (weeksAgo: number, dollars: number): Settlement => ({
  startMs: MONDAY - weeksAgo * WEEK_MS,
  endMs: MONDAY - (weeksAgo - 1) * WEEK_MS,
  payout: (dollars * 1_000_000) as Settlement["payout"],
});
const answer = (weeks: readonly Settlement[], deferred = 0): Settlements => ({
  weeks,
  deferredBalance: (deferred * 1_000_000) as Settlements["deferredBalance"],
});

interface Made {
  readonly settlements?: Settlements | "none" | "unreachable";
  readonly records?: Parameters<typeof linkedPayoutsView>[0]["records"];
  readonly bucket?: string;
  readonly status?: string;
  readonly limit?: number;
  readonly after?: PayoutsPosition | null;
  readonly split?: number;
}

const view = (made: Made) =>
  linkedPayoutsView({
    accountId: RECORDED_ACCOUNT,
    readings: madeReadings({
      subaccount_info: { ...MADE_INFO_SECTION, status: made.status ?? "active" },
      challenge_period: { bucket: made.bucket ?? "SUBACCOUNT_FUNDED" },
    }).readings,
    settlements: made.settlements ?? "none",
    records: made.records ?? [],
    profitSplit: made.split ?? 0.8,
    page: { limit: made.limit ?? 50, after: made.after ?? null },
    asOfMs: NOW,
  });

describe("payouts of a linked account [S2.5] [S3.accrualStatus]", () => {
  test("payouts of a linked account are the trader's share of each closed week that paid, newest first", () => {
    const settlements = answer([week(3, 100), week(2, 0), week(1, 0.01), week(0, 50)]);
    const { items, accrual, accrualStatus } = view({ settlements, split: 1.1 });
    expect(items.map(({ periodStartMs, amount }) => [periodStartMs, amount])).toEqual([
      [MONDAY - WEEK_MS, 0.011],
      [MONDAY - 3 * WEEK_MS, 110],
    ]);
    expect(items[0]).toMatchObject({
      profitSplit: "110%",
      createdAtMs: MONDAY,
      status: null,
      paidAtMs: null,
    });
    expect(accrualStatus).toBe("ok");
    expect(accrual).toEqual({
      estimatedAmount: 55,
      windowStartMs: MONDAY,
      asOfMs: NOW,
      priorUnpaidAmount: null,
      earliestUnpaidPeriodStartMs: null,
      deferredBalance: null,
    });
  });

  test("payouts of a week that ends at the time of the call are still an estimate", () => {
    const running = { ...week(0, 12.5), endMs: NOW };
    expect(view({ settlements: answer([running]) })).toMatchObject({
      items: [],
      accrual: { estimatedAmount: 10 },
    });
  });

  test("payouts of a divided week have ids of their own, and the parts of the present one add up", () => {
    const parts = answer([week(1, 1), week(1, 2), week(0, 3), week(0, 4.5)], 20);
    const { items, accrual } = view({ settlements: parts });
    expect(new Set(items.map(({ id }) => id))).toEqual(
      new Set([`po_${RECORDED_ACCOUNT}_${MONDAY}`, `po_${RECORDED_ACCOUNT}_${MONDAY}_2`]),
    );
    expect(accrual).toMatchObject({ estimatedAmount: 6, deferredBalance: 16 });
  });

  test("payouts of a linked account are read page by page, each once", () => {
    const settlements = answer([
      week(5, 1),
      week(4, 2),
      week(3, 3),
      week(3, 4),
      week(2, 5),
      week(1, 6),
    ]);
    const whole = view({ settlements }).items.map(({ id }) => id);
    for (const limit of [1, 2, 4, 6, 7]) {
      const read: string[] = [];
      let after: PayoutsPosition | null = null;
      do {
        const page = view({ settlements, limit, after });
        expect(page.accrualStatus).toBe(after === null ? "ok" : "omitted");
        expect(page.accrual === null).toBe(after !== null);
        read.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      expect(read).toEqual(whole);
    }
  });

  test("payouts of a linked account without a history are none, and the estimate is unknown", () => {
    const page = view({ settlements: "none" });
    expect(page).toMatchObject({ items: [], next: null, accrualStatus: "ok" });
    expect(page.accrual).toMatchObject({ estimatedAmount: null, windowStartMs: MONDAY });
  });

  test("payouts during an outage are the stored weeks, without an estimate", () => {
    const settlements = answer([week(2, 5), week(1, 6), week(1, 7), week(0, 8)]);
    const records = payoutRecords(settlements, NOW);
    expect(records).toHaveLength(3);
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
    const page = view({ settlements: "unreachable", records });
    expect(page.items).toEqual(view({ settlements }).items);
    expect(page.accrualStatus).toBe("unavailable");
    expect(page.accrual?.estimatedAmount).toBeNull();
  });

  test.each([
    ["SUBACCOUNT_CHALLENGE", "active", "not_applicable"],
    ["PRO_CHALLENGE_DIRECT", "active", "not_applicable"],
    ["ELIMINATED", "eliminated", "not_applicable"],
    ["SUBACCOUNT_FUNDED", "pending", "not_applicable"],
    ["SUBACCOUNT_FUNDED", "active", "ok"],
    ["SUBACCOUNT_ALPHA", "active", "ok"],
    ["PRO_CHALLENGE_TRANSITION", "active", "ok"],
    ["PRO_CHALLENGE_FROM_STANDARD", "active", "ok"],
    ["PRO_FUNDED", "active", "ok"],
    // It is not known whether this phase earns payouts.
    ["NEW_BUCKET", "active", "unavailable"],
  ])("payouts of an account in %s that is %s are %s", (bucket, status, accrualStatus) => {
    const page = view({ bucket, status, settlements: answer([week(1, 10), week(0, 5)]) });
    expect(page.accrualStatus).toBe(accrualStatus);
    expect(page.accrual?.estimatedAmount).toBe(accrualStatus === "ok" ? 4 : null);
    // Earlier payouts stay listed.
    expect(page.items).toHaveLength(1);
  });
});
