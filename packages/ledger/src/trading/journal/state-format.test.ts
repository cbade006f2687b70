import type { AccountId } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import { BTCUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { migrate } from "../../storage/migrations/migrate.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import { createJournalDesk } from "./journal-desk.ts";
import { STATE_FORMAT, upgradeStates } from "./state-format.ts";

await describeOnEachDatabase("an upgrade", (database) => {
  let logged: unknown[][];
  let trader: AccountId;

  const upgrade = () =>
    upgradeStates({
      databases: [database()],
      instruments: SMALL_CATALOGUE,
      log: { info: (...line) => void logged.push(line) },
    });
  const desk = () => createJournalDesk(database(), SMALL_CATALOGUE);
  const settings = () => createSettingStore(database());
  const started = async (): Promise<ManualEngine> => {
    await upgrade();
    const engine = createManualEngine(database());
    await engine.restore();
    await engine.quote(BTCUSD, 51_000);
    return engine;
  };
  const readings = async (engine: ManualEngine) => {
    const { network } = engine;
    const at = { accountId: trader, version: engine.version(trader) };
    const [account, positions, trades] = await Promise.all([
      network.account(at),
      network.positions(at),
      network.trades(at, { newerThan: 0, olderThan: null, limit: 10 }),
    ]);
    return { account, positions, trades };
  };

  /**
   * Opens an account with a closed trade and an open position, and one that is idle, and stores states of another
   * format.
   */
  beforeEach(async () => {
    await database().query("drop schema public cascade; create schema public");
    await migrate(database());
    const engine = createManualEngine(database());
    trader = await engine.open();
    await engine.open();
    await engine.earn(trader, 51_000);
    await engine.buy(trader, BTCUSD, 0.5);
    await settings().set("state.format", "1");
    await database().query(
      `update account_states set state = '{"of":"another format"}'; delete from trades`,
    );
    logged = [];
  });

  test("an upgrade of data in another format rebuilds every account and reports it", async () => {
    await upgrade();
    expect(logged).toEqual([
      [
        { from: 1, to: STATE_FORMAT },
        "rebuilding all accounts from their journals for this release",
      ],
      [{ from: 1, to: STATE_FORMAT, accounts: 2, written: 2 }, "all accounts are rebuilt"],
    ]);
    expect(await desk().verify("all")).toMatchObject({ accounts: 2, broken: [] });
    expect(await desk().rebuild("all", false)).toEqual({ accounts: 2, different: [], written: 0 });
  });

  test("an upgrade leaves accounts with their figures, which go on trading", async () => {
    const engine = await started();
    expect(await readings(engine)).toMatchObject({
      // 100,000 plus the profit of 1,000 of the closed trade, less 0.03 % of 50,000, of 51,000 and of 25,500.
      account: { value: { snapshot: { balance: 100_962_050_000, openPositions: 1 } } },
      positions: { value: [{ position: { pair: BTCUSD } }] },
      trades: { value: [{ trade: { pair: BTCUSD } }] },
    });
    await engine.buy(trader, BTCUSD, 0.1);
    expect(await desk().verify("all")).toMatchObject({ broken: [] });
    expect(await desk().rebuild("all", false)).toMatchObject({ different: [] });
  });

  test("an upgrade runs once, and continues where it stopped after an interruption", async () => {
    await upgrade();
    logged = [];
    await upgrade();
    expect(logged).toEqual([]);
    // The killed process has not rebuilt the last account, and has not stored the setting.
    await database().query("delete from settings; delete from trades");
    await upgrade();
    expect(logged.at(-1)?.[0]).toMatchObject({ accounts: 2, written: 1 });
    expect(await desk().rebuild("all", false)).toMatchObject({ different: [] });
  });

  test("an upgrade gives the same result on two concurrent nodes", async () => {
    await Promise.all([upgrade(), upgrade()]);
    expect(await desk().rebuild("all", false)).toEqual({ accounts: 2, different: [], written: 0 });
  });

  test("an upgrade of an empty database records the format and reports nothing", async () => {
    await database().query("truncate accounts, account_states, journal, trades");
    await upgrade();
    expect(logged).toEqual([]);
    expect(await settings().get("state.format")).toBe(String(STATE_FORMAT));
  });

  test("an upgrade refuses the data of a newer release and does not change it", async () => {
    await settings().set("state.format", "999");
    await expect(upgrade()).rejects.toThrow(
      `The database has accounts of format 999, this program knows ${STATE_FORMAT}: it was used by a newer release.`,
    );
    expect(await settings().get("state.format")).toBe("999");
  });
});
