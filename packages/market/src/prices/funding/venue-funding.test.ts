import { type Instruments, pairId } from "@propgate/core";
import { afterEach, expect, test } from "vitest";
import { systemTimer } from "../../../../base/src/clock.ts";
import { readSettings } from "../../../../base/src/config.ts";
import { openLog } from "../../../../base/src/log.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import type { ComposedService } from "../../../../server/src/start/service.ts";
import { type Harness, openHarness, START_MS } from "../../../../server/src/testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { createOperatorClient } from "../../../../server/src/testing/operator-client.ts";
import { createHyperliquidProtocol } from "../../../../server/src/testing/venues/hyperliquid.ts";
import { openLocalVenue } from "../../../../server/src/testing/venues/local-venue.ts";
import { createFundingCollector, type FundingCollector } from "./collect-funding.ts";
import { openVenueFunding } from "./venue-funding.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BTC = pairId("BTCPERP");
const GOLD = pairId("GOLDPERP");
const INSTRUMENTS: Instruments = madeCatalogue(
  madeInstrument("BTCUSD"),
  madeInstrument(BTC, { carry: { kind: "everyHour", rate: null } }),
  madeInstrument(GOLD, { carry: { kind: "everyHour", rate: null, isCostOnly: true } }),
  madeInstrument("OTHERPERP", { carry: { kind: "everyHour", rate: null } }),
);
const SYMBOLS = new Map([
  [BTC, { hyperliquid: "BTC/USDC:USDC" }],
  [GOLD, { hyperliquid: "XYZ-GOLD/USDC:USDC" }],
  [pairId("OTHERPERP"), { okx: "BTC/USDT:USDT" }],
]);
const PLAN = new Map([
  [pairId("BTCUSD"), ["kraken"]],
  [BTC, ["kraken", "hyperliquid"]],
  [GOLD, ["hyperliquid"]],
  [pairId("OTHERPERP"), ["okx"]],
]);

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Opens a service whose venue is a local Hyperliquid. Hours count from its start at noon. */
async function openFunded(markets = ["BTC/USDC", "xyz:GOLD/USDC"]) {
  const settled: Parameters<typeof createHyperliquidProtocol>[0][number][] = [];
  const venue = await openLocalVenue({
    protocol: createHyperliquidProtocol(settled),
    markets,
  });
  cleanUps.push(() => venue.close());
  let composed: ComposedService | null = null;
  const service = await openHarness({
    instruments: INSTRUMENTS,
    mount: (made) => {
      composed = made;
    },
  });
  cleanUps.push(() => service.close());
  const { funding } = engineShard(composed);
  const reading = readSettings({}, { priceUrls: `hyperliquid=${venue.origin}` });
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const { clock } = service.time;
  const opened = await openVenueFunding(PLAN, {
    settings: reading.settings,
    instruments: INSTRUMENTS,
    symbols: SYMBOLS,
    clock,
    timer: systemTimer,
    chance: createSeededChance("venue funding"),
    log: openLog("silent"),
  });
  const collector = (): FundingCollector =>
    createFundingCollector({ sources: opened.sources, rates: funding, clock });
  return {
    venue,
    service,
    opened,
    rates: funding,
    collector,
    operator: createOperatorClient(service),
    settle: (coin: string, hour: number, fundingRate: string) =>
      settled.push({
        coin,
        fundingRate,
        premium: "0.0003",
        // Hyperliquid dates a rate some milliseconds after the hour.
        time: START_MS + hour * HOUR_MS + 31,
      }),
    /** Moves the clock to this many milliseconds after the hour, and settles due work. */
    to: (hour: number, afterMs: number) =>
      service.pass(START_MS + hour * HOUR_MS + afterMs - clock.now()),
  };
}

function engineShard(composed: ComposedService | null): ComposedService["engine"] {
  if (composed === null) throw new Error("the service is composed");
  return composed.engine;
}

async function balanceOf(service: Harness): Promise<number> {
  const answer = (await service.get("account")).json() as {
    data: { account: { currentBalance: number } };
  };
  return answer.data.account.currentBalance;
}

async function trade(service: Harness, pair: string, side: string, quantity: number) {
  const body = { execution_type: "MARKET", trade_pair: pair, order_type: side, quantity };
  const answer = await service.order(body);
  if (answer.status !== 200) throw new Error(answer.text);
}

test("a position is charged what the venue settled, above and below zero, and nothing without a rate [D11.funding] [D11.fundingSource] [D11.fundingCost]", async () => {
  const { service, settle, to, collector, operator } = await openFunded();
  const collecting = collector();
  await service.quote(BTC, 50_000, 50_000);
  await service.quote(GOLD, 4_000, 4_000);
  await trade(service, BTC, "LONG", 2);
  await trade(service, GOLD, "SHORT", 10);
  expect(await balanceOf(service)).toBe(100_000);

  settle("BTC", 1, "0.0000125");
  settle("xyz:GOLD", 1, "-0.0001");
  await to(1, 9_000);
  await collecting.tick();
  expect(await operator.data("GET", "/funding")).toMatchObject({ items: [] });
  await to(1, 12_000);
  await collecting.tick();
  expect(await operator.data("GET", "/funding")).toMatchObject({
    items: [
      { pair: BTC, rate: 0.0000125, source: "hyperliquid", atMs: START_MS + HOUR_MS },
      { pair: GOLD, rate: -0.0001, source: "hyperliquid", atMs: START_MS + HOUR_MS },
    ],
  });
  await to(1, 5 * MINUTE_MS - 1);
  expect(await balanceOf(service)).toBe(100_000);
  await to(1, 5 * MINUTE_MS);
  // The funding is 2 × 50,000 × 0.0000125 = 1.25 and 10 × 4,000 × 0.0001 = 4.
  expect(await balanceOf(service)).toBe(99_994.75);

  settle("BTC", 2, "-0.00003");
  settle("xyz:GOLD", 2, "0.0002");
  await to(2, 12_000);
  await collecting.tick();
  await to(2, 5 * MINUTE_MS);
  // The long receives 2 × 50,000 × 0.00003 = 3. The short of a pair with `costOnly` receives no funding.
  expect(await balanceOf(service)).toBe(99_997.75);

  await to(3, 12_000);
  settle("xyz:GOLD", 3, "0");
  await collecting.tick();
  await to(3, MINUTE_MS);
  await expect(collecting.tick()).rejects.toThrow(
    "hyperliquid gave no funding rate of 2026-01-05T15:00:00.000Z for BTCPERP yet",
  );
  await to(3, 5 * MINUTE_MS);
  // The venue has the rate only when it is too late.
  settle("BTC", 3, "0.01");
  await expect(collecting.tick()).rejects.toThrow(
    "gave no funding rate of 2026-01-05T15:00:00.000Z for BTCPERP: that hour is not charged",
  );
  expect(await balanceOf(service)).toBe(99_997.75);
  await to(4, 1_000);
  await expect(collecting.tick()).rejects.toThrow("T15:00:00.000Z for BTCPERP: that hour");
});

test("an operator's rate wins over the venue's, until ten seconds before the charge [D11.fundingSource] [D11.operatorRate]", async () => {
  const { service, settle, to, collector, operator } = await openFunded();
  const [one, other] = [collector(), collector()];
  await service.quote(BTC, 50_000, 50_000);
  await trade(service, BTC, "LONG", 1);
  const atMs = START_MS + HOUR_MS;
  const set = (hourMs: number, rate: number) => ({ pair: BTC, atMs: hourMs, rate });
  for (const hour of [1, 2]) {
    settle("BTC", hour, "0.001");
    settle("xyz:GOLD", hour, "0.001");
  }
  await to(1, 12_000);
  // Both collect at the same time, as two nodes do.
  await Promise.all([one.tick(), other.tick()]);
  await operator.data("POST", "/funding", set(atMs, 0.0002));
  await operator.data("POST", "/funding", set(atMs + HOUR_MS, 0.0003));
  await to(1, 5 * MINUTE_MS);
  // The operator's rate counts: 50,000 × 0.0002 = 10.
  expect(await balanceOf(service)).toBe(99_990);
  await to(2, 12_000);
  await one.tick();
  await to(2, 5 * MINUTE_MS - 10_000);
  const gold = { ...set(atMs + HOUR_MS, 0.0004), pair: GOLD };
  expect((await operator.refusal("POST", "/funding", gold))[0]).toBe(409);
  await to(2, 5 * MINUTE_MS);
  expect(await balanceOf(service)).toBe(99_975);
});

test("a pair that the venue does not list fails no collection, and is named in a warning [D11.fundingSource]", async () => {
  const { opened, rates, settle, to, collector } = await openFunded(["BTC/USDC"]);
  const collecting = collector();
  settle("BTC", 1, "0.0001");
  await to(1, 12_000);
  await collecting.tick();
  expect([...rates.current.keys()]).toEqual([BTC]);
  expect(opened.warnings()).toMatchObject([
    { source: "funding", first: "OTHERPERP" },
    { source: "funding", reason: expect.stringMatching(/^pairs that hyperliquid/), first: GOLD },
  ]);
  for (const afterMs of [MINUTE_MS, 5 * MINUTE_MS]) {
    await to(1, afterMs);
    await collecting.tick();
  }
  // The rate of a listed pair is still reported when it is missing.
  await to(2, MINUTE_MS);
  await expect(collecting.tick()).rejects.toThrow(
    /^hyperliquid gave no funding rate of .* for BTCPERP yet$/,
  );
});

test("pairs whose sources settle at other times are named; a venue that is away is asked again", async () => {
  const { venue, rates, opened, service, settle, to, collector } = await openFunded();
  expect(opened.sources.map(({ name, pairs }) => [name, pairs])).toEqual([
    ["hyperliquid", [BTC, GOLD]],
  ]);
  expect(opened.warnings()).toMatchObject([{ source: "funding", count: 1, first: "OTHERPERP" }]);
  const collecting = collector();
  await to(1, 12_000);
  venue.faults.plan.cutWithinBytes = 20;
  await expect(collecting.tick()).rejects.toThrow(/^hyperliquid gave no funding rate of .* yet: /);
  venue.faults.clear();
  settle("BTC", 1, "0.0001");
  settle("xyz:GOLD", 1, "0.0001");
  await collecting.tick();
  expect([...rates.current.keys()]).toEqual([BTC, GOLD]);
  // A service that starts when the time for an hour's rates has passed does not request them.
  await service.pass(10 * MINUTE_MS);
  await collector().tick();
});
