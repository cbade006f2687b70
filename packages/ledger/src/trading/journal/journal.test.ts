import { hash } from "node:crypto";
import {
  type AccountId,
  accountId,
  CHAIN_START,
  CORE_VERSION,
  chainHash,
  orderUuid,
  price,
  unixMs,
} from "@propgate/core";
import { expect, test } from "vitest";
import { countingDecider } from "../../../../server/src/testing/counting-decider.ts";
import {
  createCountingNetwork,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createManualEngine } from "../../../../server/src/testing/manual-engine.ts";
import { BTCUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { readNewestLines } from "../../storage/journal/journal-store.ts";
import { sha256 } from "../../storage/journal/line-hash.ts";
import { createJournalDesk } from "./journal-desk.ts";
import { rebuildJournal } from "./rebuild-journal.ts";
import { verifyJournal } from "./verify-journal.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

await describeOnEachDatabase("the journal", (database) => {
  const accountOfFive = async (): Promise<AccountId> => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    for (let count = 0; count < 4; count += 1) await network.count(id);
    return id;
  };

  test("the journal of an untouched account is verified, alone and with all others", async () => {
    const id = await accountOfFive();
    expect(await verifyJournal(database(), id)).toEqual({ accounts: 1, events: 5, broken: [] });
    const { accounts, events, broken } = await verifyJournal(database(), "all");
    await accountOfFive();
    expect(await verifyJournal(database(), "all")).toEqual({
      accounts: accounts + 1,
      events: events + 5,
      broken,
    });
  });

  test.each([
    ["update journal set event = replace(event, '1', '2') where account_id = $1 and seq = 3", 3],
    [
      "update journal set inputs = replace(inputs, '[1,', '[2,') where account_id = $1 and seq = 3",
      3,
    ],
    ["update journal set inputs = null where account_id = $1 and seq = 2", 2],
    ["update journal set at_ms = at_ms + 1 where account_id = $1 and seq = 2", 2],
    ["update journal set nonce = 'other' where account_id = $1 and seq = 4", 4],
    ["update journal set hash = sha256('other') where account_id = $1 and seq = 1", 1],
    ["delete from journal where account_id = $1 and seq = 1", 1],
    ["delete from journal where account_id = $1 and seq = 3", 3],
    ["delete from journal where account_id = $1 and seq = 5", 5],
    ["update accounts set head_hash = sha256('other') where account_id = $1", 5],
    ["delete from accounts where account_id = $1", 1],
  ])("the journal names the first line that %s breaks: %d", async (tamper, seq) => {
    const id = await accountOfFive();
    await database().query(tamper, [id]);
    const { broken } = await verifyJournal(database(), id);
    expect(broken).toMatchObject([{ accountId: id, seq }]);
  });

  test("the journal has the inputs of a decision on its first line only, with every quote that was read", async () => {
    const engine = createManualEngine(database(), { seed: "inputs" });
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    const lines = await readNewestLines(database(), id, { before: null, limit: 100 });
    let left = 0;
    for (const { inputs, command, seq } of lines.toReversed()) {
      if (left > 0) {
        expect(inputs, `line ${seq}`).toBeNull();
      } else {
        const [format, core, , count, , , , quotes] = JSON.parse(inputs ?? "[]");
        expect([format, core]).toEqual([1, CORE_VERSION]);
        if (command === "placeMarket") expect(JSON.stringify(quotes)).toContain(`"${BTCUSD}"`);
        left = count;
      }
      left -= 1;
    }
    expect(left).toBe(0);
    expect(lines.some(({ command }) => command === "placeMarket")).toBe(true);
  });

  test("the journal hashes a line without inputs without their column", () => {
    const row = {
      accountId: accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001"),
      seq: 1,
      atMs: 1000,
      origin: "operator",
      keyId: null,
      nonce: null,
      command: "openAccount",
      event: "{}",
    };
    const text = `${JSON.stringify(Object.values(row).slice(0, 7))}\n{}`;
    const earlier = hash("sha256", Buffer.concat([CHAIN_START, Buffer.from(text)]), "buffer");
    expect(chainHash(sha256, CHAIN_START, { ...row, inputs: null })).toEqual(earlier);
    expect(chainHash(sha256, CHAIN_START, { ...row, inputs: "[]" })).not.toEqual(earlier);
  });

  test("the journal rebuilds every state byte for byte, and finds a snapshot that was altered", async () => {
    const id = await accountOfFive();
    const { evolve } = countingDecider;
    const options = { database: database(), evolve, instruments: new Map(), which: id };
    expect(await rebuildJournal({ ...options, write: false })).toEqual({
      accounts: 1,
      different: [],
      written: 0,
    });
    await database().query(
      `update account_states set state = replace(state, '"realized":0', '"realized":400')
       where account_id = $1`,
      [id],
    );
    expect(await realizedOf(id)).toBe(404);
    expect(await rebuildJournal({ ...options, write: false })).toMatchObject({
      different: [id],
      written: 0,
    });
    expect(await rebuildJournal({ ...options, write: true })).toMatchObject({ written: 1 });
    expect(await realizedOf(id)).toBe(4);
    expect(await rebuildJournal({ ...options, write: false })).toMatchObject({ different: [] });
  });

  test("the journal finds and repairs rows of the derived tables that differ from the journal", async () => {
    const engine = createManualEngine(database(), { seed: "projections" });
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    engine.now = unixMs(TEST_NOON + WEEK_MS);
    await engine.due.runDue();
    const payout = `po_${id}_${TEST_NOON + WEEK_MS - DAY_MS / 2}`;
    await engine.payouts.record(payout, {
      status: "processing",
      rail: "bank",
      provider: null,
      reference: "7",
      paidAmount: null,
    });
    const desk = createJournalDesk(database(), SMALL_CATALOGUE);
    const rows = () =>
      database().query(
        `select (select json_agg(t) from trades t where account_id = $1)::text as trades,
           (select json_agg(d order by day_start_ms) from daily_returns d where account_id = $1)::text as days,
           (select json_agg(p) from payouts p where account_id = $1)::text as payouts,
           (select due_at_ms from accounts where account_id = $1) as due,
           (select last_at_ms from accounts where account_id = $1) as newest`,
        [id],
      );
    const before = await rows();
    for (const tamper of [
      "delete from trades where account_id = $1",
      "update trades set closed_at_ms = closed_at_ms + 1 where account_id = $1",
      "delete from daily_returns where account_id = $1 and percent = 0",
      "update daily_returns set percent = percent + 1 where account_id = $1",
      "update payouts set status = 'paid' where account_id = $1",
      "update payouts set period_end_ms = 0, seq = 1 where account_id = $1",
      `insert into payouts select account_id, 'po_invented', period_start_ms, period_end_ms, seq,
         status, payout from payouts where account_id = $1`,
      "update accounts set due_at_ms = null where account_id = $1",
      "update accounts set exposed = true where account_id = $1",
      "update accounts set last_at_ms = last_at_ms + 86400000 where account_id = $1",
    ]) {
      await database().query(tamper, [id]);
      expect(await desk.rebuild(id, false), tamper).toMatchObject({ different: [id], written: 0 });
      expect(await desk.rebuild(id, true), tamper).toMatchObject({ different: [id], written: 1 });
      expect(await rows(), tamper).toEqual(before);
    }
    expect(await desk.rebuild(id, false)).toMatchObject({ different: [] });
  });

  test("the journal keeps every order that was rejected when its price came, with the reason [D10.rejected]", async () => {
    const engine = createManualEngine(database(), { seed: "rejected" });
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.order(id, {
      type: "placeLimit",
      orderUuid: orderUuid("late"),
      pair: BTCUSD,
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      limitPrice: price(49_900),
      legs: [{ stopLoss: price(49_800), takeProfit: null, trailing: null, size: null }],
      reduceOnly: false,
    });
    // The price jumps past the limit and the stop.
    await engine.quote(BTCUSD, 49_700);
    const rows = () =>
      database().query("select * from rejected_orders where account_id = $1", [id]);
    const before = await rows();
    expect(before).toMatchObject([{ order_uuid: "late", code: "wrongSide" }]);
    const [row] = before as { refusal: string; placed: string }[];
    expect(JSON.parse(row?.refusal ?? "")).toMatchObject({ code: "wrongSide", field: "stopLoss" });
    expect(JSON.parse(row?.placed ?? "")).toMatchObject({ uuid: "late", limitPrice: 49_900 });
    const desk = createJournalDesk(database(), SMALL_CATALOGUE);
    await database().query("delete from rejected_orders where account_id = $1", [id]);
    expect(await desk.rebuild(id, true)).toMatchObject({ different: [id], written: 1 });
    expect(await rows()).toEqual(before);
  });

  test("the journal finds no false difference beside a running service", async () => {
    const engine = createManualEngine(database(), { seed: "at work" });
    const ids = [await engine.openFunded(), await engine.openFunded()];
    const desk = createJournalDesk(database(), SMALL_CATALOGUE);
    let works = true;
    const work = async () => {
      try {
        for (let week = 1; week <= 10; week += 1) {
          for (const id of ids) await engine.earn(id, 50_100);
          engine.now = unixMs(TEST_NOON + week * WEEK_MS);
          await engine.due.runDue();
        }
      } finally {
        works = false;
      }
    };
    const rebuild = async () => {
      while (works) {
        for (const id of ids) expect(await desk.rebuild(id, true)).toMatchObject({ written: 0 });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([work(), rebuild()]);
    for (const id of ids) expect(await desk.rebuild(id, false)).toMatchObject({ different: [] });
  });

  test("the journal finds a snapshot that is of another version than it says", async () => {
    const id = await accountOfFive();
    await database().query("update account_states set version = 2 where account_id = $1", [id]);
    const { evolve } = countingDecider;
    const options = { database: database(), evolve, instruments: new Map(), which: id };
    expect(await rebuildJournal({ ...options, write: true })).toMatchObject({ different: [id] });
    expect(await realizedOf(id)).toBe(4);
  });

  /** The realized profit in the state, as a process that starts afterwards loads it. */
  const realizedOf = async (id: AccountId): Promise<number | undefined> => {
    const cache = createCountingNetwork(database()).cache;
    const [account] = await cache.load([id]);
    return account?.state.realized;
  };
});
