import { accountId, parseEvent, unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { migrate } from "../../storage/migrations/migrate.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import { TEST_NOON } from "../../testing/counting-network.ts";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import { FORMER_ROWS, FORMER_SCHEMA } from "../../testing/former-release.ts";
import { type ManualEngine, manualEngine } from "../../testing/manual-engine.ts";
import { BTC, EUR, SMALL_CATALOGUE } from "../../testing/small-market.ts";
import { createJournalDesk } from "./journal-desk.ts";
import { STATE_FORMAT, upgradeStates } from "./state-format.ts";

const DAY_MS = 86_400_000;
/** The fixture's accounts: one that trades, one that was eliminated, one that waits. */
const TRADER = accountId("cf486cd5-d1b3-47c5-b78c-6b938468b1d1");
const ENDED = accountId("355d5540-4cfe-4624-88a8-8a75bccff2ff");
const WAITING = accountId("c7552890-19d2-4293-adb8-9118d5eb9d34");
/** Two days after the fixture was begun. */
const NOW = unixMs(TEST_NOON + 2 * DAY_MS);

await describeOnEachDatabase("an upgrade", (database) => {
  let logged: unknown[][];

  const upgrade = () =>
    upgradeStates({
      database: database(),
      instruments: SMALL_CATALOGUE,
      log: { info: (...line) => void logged.push(line) },
    });
  const desk = () => createJournalDesk(database(), SMALL_CATALOGUE);
  const started = async (): Promise<ManualEngine> => {
    await migrate(database());
    await upgrade();
    const engine = manualEngine(database(), { now: NOW });
    await engine.restore();
    await engine.quote(EUR, 1.105);
    await engine.quote(BTC, 51_000);
    return engine;
  };

  beforeEach(async () => {
    logged = [];
    await database().query("drop schema public cascade; create schema public");
    await database().query(FORMER_SCHEMA);
    await database().query(FORMER_ROWS);
  });

  test("of the previous release's data rebuilds every account and reports it", async () => {
    await started();
    expect(logged).toEqual([
      [
        { from: 1, to: STATE_FORMAT },
        "rebuilding all accounts from their journals for this release",
      ],
      [{ from: 1, to: STATE_FORMAT, accounts: 3, written: 3 }, "all accounts are rebuilt"],
    ]);
    expect(await desk().verify("all")).toEqual({ accounts: 3, events: 15, broken: [] });
    expect(await desk().rebuild("all", false)).toEqual({ accounts: 3, different: [], written: 0 });
  });

  test("keeps the known figures and computes the missing ones", async () => {
    const { network } = await started();
    const at = { accountId: TRADER, version: 9 };
    expect(await network.account(at)).toMatchObject({
      ok: true,
      value: {
        version: 9,
        stale: false,
        // 100,000 and 1,000 of the closed trade, less 0.03 % of 50,000, of 51,000.
        snapshot: { status: "active", balance: 100_969_700_000, openPositions: 1 },
        // Midnight equities of 102,339.70 and 101,654.70 on a size of 100,000.
        dailyReturns: [
          { dayStartMs: TEST_NOON - DAY_MS / 2, percent: expect.closeTo(2.3397, 9) },
          { dayStartMs: TEST_NOON + DAY_MS / 2, percent: expect.closeTo(-0.669339, 6) },
        ],
      },
    });
    expect(await network.trades(at)).toMatchObject({ value: [{ pair: BTC }] });
    expect(await network.pendingOrders(at)).toMatchObject({
      value: [
        { kind: "bracket", stopLoss: 1.05 },
        { kind: "limit", limitPrice: 45_000 },
      ],
    });
    expect(await network.account({ accountId: ENDED, version: 5 })).toMatchObject({
      value: {
        snapshot: { elimination: { cause: { kind: "operator", reason: "by hand" } } },
        // The day of its end.
        dailyReturns: [{ dayStartMs: TEST_NOON - DAY_MS / 2, percent: expect.closeTo(0.9697, 9) }],
      },
    });
    const page = { limit: 50, after: null };
    expect(await network.payouts({ accountId: WAITING, version: 1 }, page)).toMatchObject({
      value: { items: [], accrualStatus: "not_applicable" },
    });
  });

  test("leaves working accounts: days end, and open orders still trigger", async () => {
    const engine = await started();
    engine.now = unixMs(NOW + DAY_MS);
    await engine.due.runDue();
    await engine.quote(EUR, 1.04);
    const account = await engine.network.account({ accountId: TRADER, version: 10 });
    // Three full days, and the one on which the price of its position ended the account.
    expect(account).toMatchObject({
      value: { snapshot: { status: "eliminated" }, dailyReturns: { length: 4 } },
    });
    expect(await engine.network.positions({ accountId: TRADER, version: 10 })).toMatchObject({
      value: [],
    });
    expect(await desk().verify("all")).toMatchObject({ broken: [] });
    expect(await desk().rebuild("all", false)).toMatchObject({ different: [] });
  });

  test("runs once, and continues where it stopped after an interruption", async () => {
    await started();
    logged = [];
    await upgrade();
    expect(logged).toEqual([]);
    // The killed process had not reached the last account and the setting.
    await database().query(
      `delete from settings; delete from daily_returns where account_id = '${TRADER}'`,
    );
    await upgrade();
    expect(logged.at(-1)?.[0]).toMatchObject({ accounts: 3, written: 1 });
    expect(await desk().rebuild("all", false)).toMatchObject({ different: [] });
  });

  test("gives the same result on two concurrent nodes", async () => {
    await migrate(database());
    await Promise.all([upgrade(), upgrade()]);
    expect(await desk().rebuild("all", false)).toEqual({ accounts: 3, different: [], written: 0 });
  });

  test("of an empty database records the format and reports nothing", async () => {
    await migrate(database());
    await database().query("truncate accounts, journal, trades");
    await upgrade();
    expect(logged).toEqual([]);
    expect(await createSettingStore(database()).get("state.format")).toBe(String(STATE_FORMAT));
  });

  test("refuses the data of a newer release and does not change it", async () => {
    await migrate(database());
    await createSettingStore(database()).set("state.format", "999");
    await expect(upgrade()).rejects.toThrow(
      `The database has accounts of format 999, this program knows ${STATE_FORMAT}: it was used by a newer release.`,
    );
    expect(await createSettingStore(database()).get("state.format")).toBe("999");
  });
});

test.each([
  [null, {}],
  [5, { currency: 5, sector: 5, index: 5 }],
])("an account that was opened with a group cap of %j has caps of %j", (groupCap, groupCaps) => {
  const opened = { type: "accountOpened", terms: { programId: "classic", groupCap } };
  expect(parseEvent(JSON.stringify(opened))).toEqual({
    type: "accountOpened",
    terms: { programId: "classic", groupCaps },
  });
});
