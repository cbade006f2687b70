import {
  type AccountId,
  leverage,
  microUsd,
  type Payout,
  type ProTerms,
  ratio,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { TEST_TERMS } from "../../../../server/src/testing/counting-decider.ts";
import { TEST_NOON } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import { BTCUSD } from "../../../../server/src/testing/small-market.ts";
import type { PayoutsPage, PayoutsReading } from "./port.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** 2026-01-12, the Monday after the tests' noon. */
const MONDAY = unixMs(TEST_NOON - 12 * HOUR_MS + WEEK_MS);
/** One source of ids for all engines of a database, so that no two of them draw the same id. */
const CHANCE = createSeededChance("payouts reading");
const FIRST: PayoutsPage = { limit: 50, after: null };
/** 1,000 USD less 0.03 % of 50,000 and of 51,000. */
const EARNED = 969_700_000;

/** The terms require a Calmar ratio that cannot be reached, so every week of a funded account is held. */
const PRO: ProTerms = {
  ...TEST_TERMS,
  variant: "pro",
  size: microUsd(2 * TEST_TERMS.size),
  portfolioCap: leverage(20),
  objectives: {
    returnRatio: ratio(0.1),
    calmar: ratio(1_000),
    consistency: ratio(0.5),
    tradingDays: 10,
    countedDayGain: ratio(0.05),
    leastDrawdown: ratio(0.01),
  },
  challengePayoutScale: ratio(0.5),
};

await describeOnEachDatabase("the payouts reading", (database) => {
  let engine: ManualEngine;

  beforeEach(() => {
    engine = createManualEngine(database(), { chance: CHANCE });
  });

  const read = async (id: AccountId, page = FIRST, on = engine): Promise<PayoutsReading> => {
    const [row] = await database().query<{ version: string }>(
      "select version from accounts where account_id = $1",
      [id],
    );
    const at = { accountId: id, version: Number(row?.version) };
    const reading = await on.network.payouts(at, page);
    if (!reading.ok) throw new Error(`no reading: ${reading.error}`);
    return reading.value;
  };
  const monday = async (weeks: number): Promise<void> => {
    engine.now = unixMs(MONDAY + (weeks - 1) * WEEK_MS);
    await engine.due.runDue();
  };
  const idsOf = ({ items }: { readonly items: readonly Payout[] }) => items.map(({ id }) => id);

  test("a funded account's cycle in progress is estimated once the account has traded [S2.5.accrual] [S3.accrualStatus]", async () => {
    const id = await engine.openFunded();
    expect(await read(id)).toEqual({
      items: [],
      next: null,
      accrualStatus: "ok",
      accrual: {
        estimatedAmount: null,
        windowStartMs: TEST_NOON,
        asOfMs: TEST_NOON,
        priorUnpaidAmount: 0,
        earliestUnpaidPeriodStartMs: null,
        deferredBalance: null,
      },
    });
    await engine.earn(id, 51_000);
    expect(await read(id)).toMatchObject({ accrual: { estimatedAmount: EARNED } });
  });

  test("closed cycles are listed newest first, and count as unpaid until they are paid [S2.5.items] [S2.5.accrual]", async () => {
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    await monday(1);
    await engine.earn(id, 51_000);
    await monday(2);
    const reading = await read(id);
    expect(idsOf(reading)).toEqual([`po_${id}_${MONDAY + WEEK_MS}`, `po_${id}_${MONDAY}`]);
    expect(reading).toMatchObject({
      items: [{ periodStartMs: MONDAY, amount: EARNED }, { periodStartMs: TEST_NOON }],
      accrual: {
        estimatedAmount: null,
        windowStartMs: MONDAY + WEEK_MS,
        priorUnpaidAmount: 2 * EARNED,
        earliestUnpaidPeriodStartMs: TEST_NOON,
      },
    });
    const unsaid = { rail: null, provider: null, reference: null, paidAmount: null } as const;
    const paid = { ...unsaid, status: "paid" } as const;
    await engine.payouts.record(`po_${id}_${MONDAY}`, paid);
    expect(await read(id)).toMatchObject({
      items: [{ payment: { status: "pending" } }, { payment: { status: "paid" } }],
      accrual: { priorUnpaidAmount: EARNED, earliestUnpaidPeriodStartMs: MONDAY },
    });
  });

  test("the estimate is unavailable while an open position has no price, and the items are listed [S3.accrualStatus]", async () => {
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    await monday(1);
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 1);
    const blind = createManualEngine(database(), { now: engine.now });
    expect(await read(id, FIRST, blind)).toMatchObject({
      items: [{ amount: EARNED }],
      accrualStatus: "unavailable",
      accrual: { estimatedAmount: null, windowStartMs: MONDAY, priorUnpaidAmount: EARNED },
    });
  });

  test("an ended account earns nothing more and is still owed its earnings [S3.accrualStatus]", async () => {
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    await monday(1);
    await engine.accounts.eliminate(id, "by hand");
    expect(await read(id)).toMatchObject({
      items: [{ amount: EARNED }],
      accrualStatus: "not_applicable",
      accrual: { estimatedAmount: null, windowStartMs: null, priorUnpaidAmount: EARNED },
    });
  });

  test("held weeks add to the deferred balance and are no items [S2.1.1.softBreach]", async () => {
    const id = await engine.open();
    await engine.accounts.offerPro(id, PRO);
    await engine.accounts.promote(id);
    await engine.earn(id, 51_000);
    expect(await read(id)).toMatchObject({ accrual: { deferredBalance: null } });
    await monday(1);
    expect(await read(id)).toMatchObject({
      items: [],
      accrualStatus: "ok",
      // A week without a soft breach would release the deferred amount.
      accrual: { estimatedAmount: EARNED, priorUnpaidAmount: 0, deferredBalance: EARNED },
    });
  });

  test.each([1, 2, 3])(
    "pages of %d lose and repeat no payout while cycles are closed and paid [S4.1.cursor]",
    async (limit) => {
      const id = await engine.openFunded();
      const closed: string[] = [];
      let writes = true;
      const write = async () => {
        try {
          for (let week = 1; week <= 24; week += 1) {
            await engine.earn(id, 51_000);
            await monday(week);
            closed.push(`po_${id}_${MONDAY + (week - 1) * WEEK_MS}`);
            const status = week % 2 === 0 ? "paid" : "processing";
            const unsaid = { provider: null, reference: null, paidAmount: null } as const;
            const record = { ...unsaid, status, rail: "bank" } as const;
            await engine.payouts.record(closed[week - 1] ?? "", record);
          }
        } finally {
          writes = false;
        }
      };
      const reader = createManualEngine(database(), { now: engine.now });
      await reader.quote(BTCUSD, 50_000);
      let walks = 0;
      const readThrough = async () => {
        while (writes) {
          const before = [...closed];
          const seen = await walk(reader, id, limit);
          expect(seen).toEqual([...new Set(seen)].toSorted().reverse());
          expect(seen).toEqual(expect.arrayContaining(before));
          walks += 1;
          // When reads follow each other without a pause, the writer may never get the embedded database's connection.
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), readThrough()]);
      expect(walks).toBeGreaterThan(2);
      expect(await walk(reader, id, limit)).toEqual(closed.toReversed());
      expect(reader.faults).toEqual([]);
    },
  );

  const walk = async (on: ManualEngine, id: AccountId, limit: number) => {
    const seen: string[] = [];
    let page: PayoutsPage = { limit, after: null };
    for (;;) {
      const reading = await read(id, page, on);
      expect(reading.accrualStatus).toBe(page.after === null ? "ok" : "omitted");
      expect(reading.accrual === null).toBe(page.after !== null);
      seen.push(...idsOf(reading));
      if (reading.next === null) return seen;
      page = { limit, after: reading.next };
    }
  };

  test("payouts of an account whose state cannot be read are listed, and the estimate is unavailable [S3.accrualStatus]", async () => {
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    await monday(1);
    const at = { accountId: id, version: engine.version(id) };
    const restarted = createManualEngine(database());
    await database().query("alter table accounts rename to gone");
    const reading = await restarted.network.payouts(at, FIRST);
    const later = await restarted.network.payouts(at, {
      limit: 1,
      after: { periodStartMs: unixMs(MONDAY), id: "po" },
    });
    await database().query("alter table gone rename to accounts");
    expect(reading).toMatchObject({
      ok: true,
      value: { items: [{ amount: EARNED }], accrualStatus: "unavailable", accrual: null },
    });
    expect(later).toMatchObject({ value: { accrualStatus: "omitted", accrual: null } });
    expect(restarted.faults).toHaveLength(2);
  });

  test("unreadable payouts are an unreachable network, and the cause is reported [S7.R1]", async () => {
    const id = await engine.open();
    await database().query("alter table payouts rename to gone");
    const reading = await engine.network.payouts({ accountId: id, version: 1 }, FIRST);
    await database().query("alter table gone rename to payouts");
    expect(reading).toEqual({ ok: false, error: "unreachable" });
    expect(engine.faults).toHaveLength(1);
  });

  test("daily returns are one for each full day, oldest first; when unreadable the figures are stale [D4.dailyReturns] [D4.stale]", async () => {
    const id = await engine.open();
    const at = () => ({ accountId: id, version: engine.version(id) });
    expect(await engine.network.account(at())).toMatchObject({
      value: { dailyReturns: [], stale: false },
    });
    await engine.earn(id, 51_000);
    await monday(1);
    const DAY_MS = 24 * HOUR_MS;
    const account = await engine.network.account(at());
    if (!account.ok) throw new Error("no reading");
    expect(account.value.dailyReturns).toHaveLength(7);
    expect(account.value.dailyReturns.slice(0, 2)).toEqual([
      { dayStartMs: MONDAY - 7 * DAY_MS, percent: expect.closeTo(0.9697, 10) },
      { dayStartMs: MONDAY - 6 * DAY_MS, percent: 0 },
    ]);
    engine.now = unixMs(MONDAY + DAY_MS);
    await engine.due.runDue();
    await database().query("alter table daily_returns rename to gone");
    const stale = await engine.network.account(at());
    await database().query("alter table gone rename to daily_returns");
    expect(stale).toMatchObject({ value: { dailyReturns: [], stale: true } });
    const next = await engine.network.account(at());
    if (!next.ok) throw new Error("no reading");
    expect(next.value.dailyReturns.map(({ dayStartMs }) => dayStartMs)).toEqual(
      Array.from({ length: 8 }, (_, day) => MONDAY + (day - 7) * DAY_MS),
    );
    expect(next.value.stale).toBe(false);
  });

  test("the accounts of the owner are unknown, and not one, when they cannot be counted [D4.stale]", async () => {
    const id = await engine.open();
    const at = () => ({ accountId: id, version: engine.version(id) });
    await database().query("alter table owner_maxima rename to gone");
    const stale = await engine.network.account(at());
    await database().query("alter table gone rename to owner_maxima");
    expect(stale).toMatchObject({ value: { ownerAccounts: null, stale: true } });
    expect(await engine.network.account(at())).toMatchObject({
      value: { ownerAccounts: { active: expect.any(Number) }, stale: false },
    });
  });

  test("the pro statistics are null too without daily returns [D4.stale]", async () => {
    const id = await engine.open();
    await engine.accounts.offerPro(id, PRO);
    await database().query("alter table daily_returns rename to gone");
    const stale = await engine.network.account({ accountId: id, version: engine.version(id) });
    await database().query("alter table gone rename to daily_returns");
    const unknown = { value: null, met: null };
    expect(stale).toMatchObject({
      value: {
        stale: true,
        snapshot: {
          balance: 200_000_000_000,
          proTrack: { statistics: null, objectives: [unknown, unknown, unknown, unknown] },
        },
      },
    });
  });
});
