import { evolve, type Instruments, pairId, ratio, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { madeInstrument } from "../../../server/src/testing/made-instrument.ts";
import { createManualEngine } from "../../../server/src/testing/manual-engine.ts";
import { SMALL_CATALOGUE } from "../../../server/src/testing/small-market.ts";
import { rebuildJournal } from "./journal/rebuild-journal.ts";

const PERP = pairId("BTCPERP");
const MINUTE_MS = 60_000;
const HOUR = unixMs(TEST_NOON + 60 * MINUTE_MS);
const INSTRUMENTS: Instruments = new Map([
  ...SMALL_CATALOGUE,
  [PERP, madeInstrument("BTCPERP", { carry: { kind: "everyHour", rate: null } })],
]);
const CHANCE = createSeededChance("funding");

await describeOnEachDatabase("funding rates [D11.funding]", (database) => {
  test("a rate that one node stored is charged by another, with the rate in the journal", async () => {
    const nodeOf = () =>
      createManualEngine(database(), { now: TEST_NOON, chance: CHANCE, instruments: INSTRUMENTS });
    const [one, two] = [nodeOf(), nodeOf()];
    const rate = { pair: PERP, atMs: HOUR, rate: ratio(0.0001), source: "olga" };
    for (const node of [one, two]) await node.quote(PERP, 50_000);
    const id = await one.open();
    await one.buy(id, PERP, 1);

    const invalid = (field: string, why: string) => ({
      refused: "invalid",
      text: `${field}: ${why}`,
      field,
    });
    expect(await one.funding.set({ ...rate, pair: pairId("BTCUSD") })).toEqual(
      invalid("pair", "the carry of BTCUSD does not come from the source"),
    );
    expect(await one.funding.set({ ...rate, pair: pairId("NOSUCH") })).toEqual(
      invalid("pair", "NOSUCH is not in the catalogue"),
    );
    expect(await one.funding.set({ ...rate, atMs: unixMs(HOUR + 1) })).toEqual(
      invalid("atMs", "must be a whole hour"),
    );
    expect(await one.funding.set({ ...rate, rate: ratio(0.0002) })).toBe(null);
    expect(await one.funding.set(rate)).toBe(null);
    expect(await one.funding.set(rate)).toBe(null);
    const listed = await two.funding.list();
    expect(listed.filter(({ atMs }) => atMs === HOUR)).toEqual([rate]);
    await two.funding.refresh();

    two.now = unixMs(HOUR + 5 * MINUTE_MS - 1);
    expect(await two.due.runDue()).toMatchObject({ accounts: 0 });
    two.now = unixMs(HOUR + 5 * MINUTE_MS);
    expect(await two.due.runDue()).toMatchObject({ accounts: 1 });
    const charged = (await two.journal(id)).flatMap(({ event }) =>
      event.type === "carryCharged" ? event.charges : [],
    );
    expect(charged).toMatchObject([{ value: 50_000_000_000, fee: 5_000_000, rate: 0.0001 }]);
    const all = { database: database(), evolve, instruments: INSTRUMENTS, which: id } as const;
    expect(await rebuildJournal({ ...all, write: false })).toMatchObject({ different: [] });
  });

  test("an account that waits for a price is charged by the rate of its hour, however long it waits", async () => {
    const nodeAt = (now: number) =>
      createManualEngine(database(), {
        now: unixMs(now),
        chance: CHANCE,
        instruments: INSTRUMENTS,
      });
    const before = nodeAt(TEST_NOON);
    await before.quote(PERP, 50_000);
    const id = await before.open();
    await before.buy(id, PERP, 1);
    const rate = { pair: PERP, atMs: HOUR, rate: ratio(0.0001), source: "olga" };
    expect(await before.funding.set(rate)).toBe(null);

    const after = nodeAt(HOUR + 40 * 24 * 60 * MINUTE_MS);
    await after.readFinalFunding();
    await after.funding.refresh();
    await after.due.runDue();
    expect(after.due.awaitedPrices()).toMatchObject([{ pair: PERP }]);
    await after.quote(PERP, 50_000);
    await after.readFinalFunding();
    await after.funding.refresh();
    await after.due.runDue();
    const charged = (await after.journal(id)).flatMap(({ event }) =>
      event.type === "carryCharged" ? event.charges : [],
    );
    expect(charged).toMatchObject([{ fee: 5_000_000, rate: 0.0001 }]);
    await after.readFinalFunding();
    await after.funding.refresh();
    expect(after.funding.current.get(PERP)).toBeUndefined();
  });

  test("a final rate is kept for 30 days, and read again every second only while it can change", async () => {
    const node = createManualEngine(database(), {
      now: unixMs(HOUR - MINUTE_MS),
      chance: CHANCE,
      instruments: INSTRUMENTS,
    });
    const known = (): readonly number[] => [...(node.funding.current.get(PERP)?.values() ?? [])];
    const atMs = unixMs(HOUR + 90 * 24 * 60 * MINUTE_MS);
    const rate = { pair: PERP, atMs, rate: ratio(0.0002), source: "olga" };
    const stored = (value: number) =>
      database().query("update funding_rates set rate = $1 where pair = $2 and at_ms = $3", [
        value,
        PERP,
        atMs,
      ]);
    node.now = atMs;
    expect(await node.funding.set(rate)).toBe(null);
    for (const hours of [0, 1, 2.9]) {
      node.now = unixMs(atMs + hours * 60 * MINUTE_MS);
      await node.readFinalFunding();
      await stored(hours + 1);
      await node.funding.refresh();
      expect(known()).toEqual([hours + 1]);
    }
    for (const days of [1, 29]) {
      node.now = unixMs(atMs + days * 24 * 60 * MINUTE_MS);
      await node.readFinalFunding();
      await stored(-days);
      await node.funding.refresh();
      expect(known()).toEqual([days === 1 ? 3.9 : -1]);
    }
    // The clock goes back to an hour that can still change.
    node.now = unixMs(atMs + 60 * MINUTE_MS);
    await node.funding.refresh();
    expect(known()).toEqual([-29]);
  });

  test("a venue's rate gives way to an operator's until ten seconds before the charge, and never replaces one [D11.fundingSource] [D11.operatorRate]", async () => {
    const node = createManualEngine(database(), {
      now: TEST_NOON,
      chance: CHANCE,
      instruments: INSTRUMENTS,
    });
    const atMs = unixMs(HOUR + 60 * MINUTE_MS);
    const fromVenue = { pair: PERP, atMs, rate: ratio(0.001), source: "hyperliquid" };
    const fromOlga = { ...fromVenue, rate: ratio(-0.0005), source: "olga" };
    const stored = async () => (await node.funding.list()).find((rate) => rate.atMs === atMs);
    node.now = unixMs(atMs + MINUTE_MS);
    await node.funding.storeVenueRate(fromVenue);
    await node.funding.storeVenueRate({ ...fromVenue, rate: ratio(0.002) });
    expect(await stored()).toEqual(fromVenue);
    const late = {
      refused: "conflict",
      text: "atMs: the hour is charged, or is about to be",
      field: "atMs",
    };
    node.now = unixMs(atMs + 5 * MINUTE_MS - 10_000);
    expect(await node.funding.set(fromOlga)).toEqual(late);
    node.now = unixMs(node.now - 1);
    expect(await node.funding.set(fromOlga)).toBe(null);
    await node.funding.storeVenueRate(fromVenue);
    expect(await stored()).toEqual(fromOlga);
    expect(node.funding.current.get(PERP)?.get(atMs)).toBe(-0.0005);
  });

  test("an operator withdraws a rate until ten seconds before its charge, and no venue's [D13.fundingBounds]", async () => {
    const node = createManualEngine(database(), {
      now: TEST_NOON,
      chance: CHANCE,
      instruments: INSTRUMENTS,
    });
    const atMs = unixMs(HOUR + 120 * MINUTE_MS);
    const hour = { pair: PERP, atMs };
    const fromOlga = { ...hour, rate: ratio(0.0005), source: "olga" };
    const missing = { refused: "missing", text: "No operator set a rate of that hour" };
    expect(await node.funding.withdraw(hour)).toEqual(missing);
    await node.funding.set(fromOlga);
    expect(await node.funding.withdraw(hour)).toEqual(fromOlga);
    expect(await node.funding.withdraw(hour)).toEqual(missing);
    expect(node.funding.current.get(PERP)?.get(atMs)).toBe(undefined);
    await node.funding.storeVenueRate({ ...fromOlga, source: "hyperliquid" });
    expect(await node.funding.withdraw(hour)).toEqual(missing);
    await node.funding.set(fromOlga);
    node.now = unixMs(atMs + 5 * MINUTE_MS - 10_000);
    expect(await node.funding.withdraw(hour)).toMatchObject({ refused: "conflict" });
    node.now = unixMs(node.now - 1);
    expect(await node.funding.withdraw(hour)).toEqual(fromOlga);
  });
});
