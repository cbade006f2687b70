import { type AccountId, type Instruments, ratio, type UnixMs, unixMs } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { createNonceStore } from "../../../ledger/src/storage/stores/nonce-store.ts";
import { createNonceMerger } from "../../../ledger/src/trading/receipts/nonce-merger.ts";
import { TEST_TERMS } from "../testing/counting-decider.ts";
import { TEST_MIDNIGHT, TEST_NOON } from "../testing/counting-network.ts";
import { createManualEngine, type ManualEngine } from "../testing/manual-engine.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { AAPL, newDividend, SHARE_CATALOGUE } from "../testing/share-market.ts";
import { BTCUSD, SMALL_CATALOGUE } from "../testing/small-market.ts";
import { createTimeMachine, type TimeMachine } from "./time-machine.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = TEST_MIDNIGHT;
const COSTLY: Instruments = new Map(
  [...SMALL_CATALOGUE].map(([pair, one]) => [
    pair,
    { ...one, carry: { kind: "everyEightHours", rate: ratio(0.0001) } },
  ]),
);

describe("the time machine", () => {
  let database: Database;
  let engine: ManualEngine;
  let time: TimeMachine;
  let saved: UnixMs[];

  const machineOn = (on: ManualEngine): TimeMachine =>
    createTimeMachine({
      clock: {
        mode: "frozen",
        now: () => on.now,
        moveTo: (atMs) => {
          on.now = atMs;
        },
      },
      due: on.due,
      actions: on.actions,
      carryOutActions: () => on.carryOutActions(),
      market: on.market,
      nonces: createNonceMerger({
        store: createNonceStore(database),
        clock: { now: () => on.now },
      }),
      webhooks: { waitUntilSettled: async () => undefined, nextRetryMs: async () => null },
      saveClock: async (atMs) => void saved.push(atMs),
    });

  beforeEach(async () => {
    saved = [];
    database = await openTestDatabase();
    engine = createManualEngine(database, { instruments: COSTLY });
    time = machineOn(engine);
    return () => database.close();
  });

  test("the time machine stops at every moment at which something falls due, each at its own time [D7.clockWork]", async () => {
    const id = await engine.openFunded();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 1);
    await time.moveTo(unixMs(MIDNIGHT + 9 * HOUR_MS));
    expect(saved).toEqual([
      TEST_NOON,
      TEST_NOON + 4 * HOUR_MS,
      MIDNIGHT,
      MIDNIGHT + 8 * HOUR_MS,
      MIDNIGHT + 9 * HOUR_MS,
    ]);
    expect(await timesOf(id)).toEqual([
      ["carryCharged", TEST_NOON + 4 * HOUR_MS],
      ["carryCharged", MIDNIGHT],
      ["dayEnded", MIDNIGHT],
      ["carryCharged", MIDNIGHT + 8 * HOUR_MS],
    ]);
  });

  test("the time machine ends an idle account at the very instant [D7.inactivity]", async () => {
    const id = await engine.open();
    await engine.earn(id, 50_000);
    const idleMs = unixMs(TEST_NOON + HOUR_MS + TEST_TERMS.inactivityMs);
    engine.now = unixMs(TEST_NOON + HOUR_MS);
    await engine.earn(id, 50_000);
    await time.moveTo(unixMs(idleMs - 1));
    expect((await timesOf(id)).filter(([type]) => type === "accountEliminated")).toEqual([]);
    await time.moveTo(unixMs(idleMs + DAY_MS));
    expect((await timesOf(id)).at(-1)).toEqual(["accountEliminated", idleMs]);
  });

  test("the time machine passes what has to wait for a price, which comes with the price", async () => {
    const id = await engine.openFunded();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 1);
    engine = createManualEngine(database, { instruments: COSTLY });
    await machineOn(engine).moveTo(unixMs(MIDNIGHT + HOUR_MS));
    expect(await timesOf(id)).toEqual([]);
    await engine.quote(BTCUSD, 50_000);
    await machineOn(engine).moveTo(unixMs(MIDNIGHT + HOUR_MS));
    expect((await timesOf(id)).map(([type]) => type)).toEqual([
      "carryCharged",
      "carryCharged",
      "dayEnded",
    ]);
  });

  test("the time machine carries out a corporate action at its moment, also when nothing else is due then [D8.sandbox] [D11.once]", async () => {
    engine = createManualEngine(database, { instruments: SHARE_CATALOGUE });
    time = machineOn(engine);
    await engine.quote(AAPL, 200);
    const id = await engine.open();
    await engine.buy(id, AAPL, 100);
    const momentMs = unixMs(TEST_NOON + HOUR_MS);
    const announced = await engine.actions.announce(newDividend(momentMs, 1, 2), {
      by: "olga",
      isAgain: false,
    });
    expect(announced).toMatchObject({ status: "announced" });
    await time.moveTo(unixMs(momentMs - 1));
    expect(await timesOf(id)).toEqual([]);
    await time.moveTo(unixMs(momentMs + HOUR_MS));
    expect(saved).toContain(momentMs);
    expect(await timesOf(id)).toEqual([["dividendPaid", momentMs]]);
  });

  test("the time machine finishes a stop that a killed process had begun before it goes on", async () => {
    const id = await engine.open();
    // The clock was saved before the crash, so the crash lost the work of that moment.
    engine = createManualEngine(database, { instruments: COSTLY, now: MIDNIGHT });
    await machineOn(engine).moveTo(unixMs(MIDNIGHT + 2 * DAY_MS));
    expect(await timesOf(id)).toEqual([
      ["dayEnded", MIDNIGHT],
      ["dayEnded", MIDNIGHT + DAY_MS],
      ["dayEnded", MIDNIGHT + 2 * DAY_MS],
    ]);
  });

  const timesOf = async (id: AccountId) =>
    (await engine.journal(id))
      .filter(({ origin }) => origin === "clock")
      .map(({ event }) => [event.type, event.atMs]);
});
