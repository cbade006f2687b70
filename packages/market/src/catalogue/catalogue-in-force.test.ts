import {
  type AccountId,
  type Instrument,
  type Instruments,
  leverage,
  orderUuid,
  pairId,
  price,
  quantity,
  ratio,
  unixMs,
} from "@propgate/core";
import { expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { createShards } from "../../../ledger/src/storage/shards/shards.ts";
import { createJournalDesk } from "../../../ledger/src/trading/journal/journal-desk.ts";
import { readInstrumentsOfLastStart } from "../../../ledger/src/trading/journal/last-catalogue.ts";
import { TEST_OWNER, TEST_TERMS } from "../../../server/src/testing/counting-decider.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { databaseWithOutage } from "../../../server/src/testing/database-outage.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualEngine } from "../../../server/src/testing/manual-engine.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../server/src/testing/small-market.ts";
import { adoptCatalogue, catalogueMisfit } from "./catalogue-in-force.ts";

const HOUR_MS = 3_600_000;
const NOON = unixMs(TEST_NOON);

function changed(pair: string, over: Partial<Instrument>): Instruments {
  return new Map(
    [...SMALL_CATALOGUE].map(([id, one]) => [id, id === pair ? { ...one, ...over } : one]),
  );
}

function without(pair: string): Instruments {
  return new Map([...SMALL_CATALOGUE].filter(([id]) => id !== pair));
}

/** The catalogue with the pair under another id. The former id is an alias of it. */
function renamed(pair: string, name: string): Instruments {
  const under = changed(pair, { id: pairId(name), aliases: [pair] });
  return new Map([...under.values()].map((one) => [one.id, one]));
}

const taking = (database: Database, instruments: Instruments, now = NOON) =>
  adoptCatalogue(createShards([database]), instruments, now);

const LIMIT = {
  type: "placeLimit",
  pair: BTCUSD,
  direction: "long",
  size: { kind: "leverage", leverage: leverage(0.1) },
  legs: [],
  limitPrice: price(40_000),
  reduceOnly: false,
} as const;

await describeOnEachDatabase("a start with another catalogue", (database) => {
  test("a start with another catalogue is refused when it would change what accounts hold, and names pairs and counts [D13.startCompares]", async () => {
    const engine = createManualEngine(database());
    const holder = await engine.open();
    const terms = { ...TEST_TERMS, assetClass: "crypto" } as const;
    const waiting = await engine.accounts.open({ ownerId: TEST_OWNER, terms, provisioned: true });
    await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(holder, BTCUSD, 1);
    await engine.order(waiting, { ...LIMIT, orderUuid: orderUuid("resting") });

    // There is no catalogue of an earlier start, so only an absent pair can be detected.
    await expect(taking(database(), without(BTCUSD))).rejects.toThrow(
      "The catalogue does not fit what accounts hold. BTCUSD: is not in the catalogue (2 accounts)",
    );
    expect(await taking(database(), SMALL_CATALOGUE)).toEqual(SMALL_CATALOGUE);
    const problems: readonly (readonly [Instruments, string])[] = [
      [without(BTCUSD), "BTCUSD: is not in the catalogue (2 accounts)"],
      [renamed(BTCUSD, "XBTUSD"), "BTCUSD: is not in the catalogue (2 accounts)"],
      [changed(BTCUSD, { lotSize: 10 }), "BTCUSD: lotSize was 1 and is 10 (2 accounts)"],
      [changed(BTCUSD, { base: "XBT" }), "BTCUSD: base was BTC and is XBT (2 accounts)"],
      [changed(BTCUSD, { quote: "EUR" }), "BTCUSD: quote was USD and is EUR (2 accounts)"],
      [
        changed(BTCUSD, { quoteIsUsd: true }),
        "BTCUSD: quoteIsUsd was false and is true (2 accounts)",
      ],
      [
        changed(BTCUSD, { assetClass: "commodities" }),
        "BTCUSD: class was crypto and is commodities, in which they may not trade (1 account)",
      ],
    ];
    for (const [instruments, problem] of problems) {
      const refused = taking(database(), instruments);
      await expect(refused).rejects.toMatchObject({
        name: "UnfitSettings",
        message: expect.stringContaining(problem),
      });
      // A check of the file says the same while the service runs.
      const misfit = await catalogueMisfit(createShards([database()]), instruments);
      expect(misfit).toContain(problem);
    }
    expect(await catalogueMisfit(createShards([database()]), SMALL_CATALOGUE)).toBeNull();
    // A refused start does not replace the stored catalogue, so a start with the former catalogue still succeeds.
    expect(await taking(database(), SMALL_CATALOGUE)).toEqual(SMALL_CATALOGUE);
    // The other pair has no holder, so the catalogue may drop it. The spread and the tick of a pair may change while
    // accounts hold it.
    const others = changed(BTCUSD, { spreadRatio: ratio(0.01), tick: price(1) });
    expect(await taking(database(), others)).toEqual(others);
    expect((await taking(database(), without(EURUSD))).has(EURUSD)).toBe(false);
  });
});

await describeOnEachDatabase("a coarser grid", (database) => {
  test("two stops of a half each close together the whole of a position that a coarser grid leaves between its steps [D12.ladder]", async () => {
    const first = createManualEngine(database(), { seed: "grid" });
    const id = await first.open();
    await first.quote(BTCUSD, 50_000);
    await first.buy(id, BTCUSD, 0.2);
    const half = { kind: "bracketPct", ratio: ratio(0.5) } as const;
    const stopAt = (level: number) =>
      ({ stopLoss: price(level), takeProfit: null, trailing: null, size: half }) as const;
    await first.order(id, {
      type: "placeBracket",
      orderUuid: orderUuid("halves"),
      pair: BTCUSD,
      legs: [stopAt(49_900), stopAt(49_800)],
    });
    const step = { gridStep: quantity(50_000), gridStepSmallAccount: null };
    const later = createManualEngine(database(), {
      instruments: changed(BTCUSD, step),
      seed: "later",
    });
    await later.restore();
    await later.quote(BTCUSD, 49_890);
    await later.quote(BTCUSD, 49_790);
    const ends = (await later.journal(id)).flatMap(({ event }) =>
      event.type === "orderCancelled" || event.type === "positionClosed" ? [event.type] : [],
    );
    expect(ends).toEqual(["orderCancelled", "positionClosed"]);
    expect(later.faults).toEqual([]);
  });

  test("an opposite order for all that is open closes a position that a coarser grid leaves between its steps [D5.grid]", async () => {
    const first = createManualEngine(database(), { seed: "off the grid" });
    const [whole, more, less] = [await first.open(), await first.open(), await first.open()];
    await first.quote(BTCUSD, 50_000);
    for (const id of [whole, more, less]) await first.buy(id, BTCUSD, 0.14);
    const step = { gridStep: quantity(10_000), gridStepSmallAccount: null };
    const later = createManualEngine(database(), {
      instruments: changed(BTCUSD, step),
      seed: "after",
    });
    await later.restore();
    await later.quote(BTCUSD, 50_000);
    const leftAfter = async (id: AccountId, lots: number): Promise<number> => {
      await later.order(id, {
        type: "placeMarket",
        orderUuid: orderUuid(`sell ${lots}`),
        pair: BTCUSD,
        direction: "short",
        size: { kind: "quantity", lots },
        legs: [],
        reduceOnly: true,
      });
      const { length: version } = await later.journal(id);
      const read = await later.cache.read({ accountId: id, version });
      return read?.state.positions.reduce((sum, held) => sum + held.quantity, 0) ?? 0;
    };
    expect(await leftAfter(whole, 0.14)).toBe(0);
    expect(await leftAfter(more, 0.2)).toBe(0);
    // The size of a partial close is rounded to the grid, and the rest of the position can be closed.
    expect(await leftAfter(less, 0.13)).toBe(4_000);
    expect(await leftAfter(less, 0.04)).toBe(0);
  });
});

await describeOnEachDatabase("a changed carry", (database) => {
  test("a changed carry holds from the first start with it, and hours before are charged at the former [D13.formerCarry]", async () => {
    const carry = (percent: number): Partial<Instrument> => ({
      carry: { kind: "everyEightHours", rate: ratio(percent / 100) },
    });
    const first = await taking(database(), changed(BTCUSD, carry(0.01)));
    const engine = createManualEngine(database(), { instruments: first });
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 1);

    // The service is off from noon until 18:00, so it misses the carry of 16:00. The next start has a hundred times the
    // carry, and a second start with it makes no change.
    const startMs = unixMs(NOON + 6 * HOUR_MS);
    const second = await taking(database(), changed(BTCUSD, carry(1)), startMs);
    const third = await taking(database(), changed(BTCUSD, carry(1)), unixMs(startMs + 1));
    expect(third).toEqual(second);
    expect(await readInstrumentsOfLastStart(database())).toEqual(second);
    const after = createManualEngine(database(), { instruments: second, now: startMs });
    await after.restore();
    const chargesOf = async () =>
      (await after.journal(id)).flatMap(({ event }) =>
        event.type === "carryCharged" ? event.charges.map(({ fee }) => fee / 1_000_000) : [],
      );
    await after.quote(BTCUSD, 50_000);
    await after.due.runDue();
    expect(await chargesOf()).toEqual([5]);
    after.now = unixMs(NOON + 12 * HOUR_MS);
    await after.quote(BTCUSD, 50_000);
    await after.due.runDue();
    expect(await chargesOf()).toEqual([5, 500]);
    expect(after.faults).toEqual([]);
  });

  test("a carry where there was none is due at its first hour, and the stored due times are those of the journal [D13.formerCarry]", async () => {
    await taking(database(), SMALL_CATALOGUE);
    const engine = createManualEngine(database(), { seed: "later" });
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 1);
    const carry = { kind: "everyEightHours", rate: ratio(0.0001) } as const;
    const taken = await taking(database(), changed(BTCUSD, { carry }));
    const { due } = createManualEngine(database(), { instruments: taken });
    expect(await due.nextDueMs(NOON)).toBe(NOON + 4 * HOUR_MS);
    const rebuilt = await createJournalDesk(database(), taken).rebuild("all", false);
    expect(rebuilt.different).toEqual([]);
  });

  test("a start that ends between the new catalogue and the due times leaves these to the next start [D13.formerCarry]", async () => {
    await taking(database(), SMALL_CATALOGUE);
    const engine = createManualEngine(database(), { seed: "killed" });
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 1);
    const carry = { kind: "everyEightHours", rate: ratio(0.0001) } as const;
    const outage = { text: "set due_at_ms", when: "before" } as const;
    const killed = taking(
      databaseWithOutage(database(), outage),
      changed(BTCUSD, { carry }),
      unixMs(NOON + 1),
    );
    await expect(killed).rejects.toThrow("connect ECONNREFUSED");
    const taken = await taking(database(), changed(BTCUSD, { carry }), unixMs(NOON + 2));
    const { due } = createManualEngine(database(), { instruments: taken });
    expect(await due.nextDueMs(NOON)).toBe(NOON + 4 * HOUR_MS);
  });
});
