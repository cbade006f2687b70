import { describe, expect, test } from "vitest";
import {
  createTestAccount,
  createTestLeg,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
  type TestPositionValues,
} from "../testing/test-account.ts";
import { dollars, price, ratio, roundUsd, type UnixMs, unixMs } from "../units.ts";
import { positionReadings } from "./position-readings.ts";

type Legs = readonly Parameters<typeof createTestLeg>[1][];

function reading(
  made: TestPositionValues,
  prices: Parameters<typeof createTestMarket>[0],
  { legs = [], now = TEST_TIME_MS }: { readonly legs?: Legs; readonly now?: UnixMs } = {},
) {
  const position = { ...createTestPosition(made), realizedPnl: roundUsd(500) };
  const orders = legs.map((leg) => createTestLeg(position, leg));
  const [read] = positionReadings(createTestAccount({ positions: [position], orders }), {
    ...createTestMarket(prices),
    now,
  });
  if (read === undefined) throw new Error("a reading of the position");
  return read;
}

const LONG = { pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 } as const;
const SHORT = { pair: "BTCUSD", direction: "short", lots: 2, entry: 50_000 } as const;

describe("an open position at its mark [S2.2]", () => {
  test("a long is marked at the bid and has a positive value [D4.marks]", () => {
    const read = reading(LONG, { BTCUSD: [51_000, 51_100] });
    expect(read.mark).toBe(51_000);
    expect(read.unrealizedPnl).toBe(roundUsd(1_000));
    expect(read.netValue).toBe(roundUsd(51_000));
    expect(read.netLeverage).toBe(0.51);
    expect(read.currentReturn).toBe(1.015);
  });

  test("a short is marked at the ask and has a negative value and leverage", () => {
    const read = reading(SHORT, { BTCUSD: [51_000, 51_100] });
    expect(read.mark).toBe(51_100);
    expect(read.unrealizedPnl).toBe(roundUsd(-2_200));
    expect(read.netValue).toBe(roundUsd(-102_200));
    expect(read.netLeverage).toBe(-1.022);
  });

  test("the PnL of a yen pair converts at the mark: 150,000 yen at 151.50 are 990.099010 USD [D4.pnlRate]", () => {
    const made = { pair: "USDJPY", direction: "long", lots: 1, entry: 150 } as const;
    const read = reading(made, { USDJPY: [151.5, 151.52] });
    expect(read.unrealizedPnl && dollars(read.unrealizedPnl)).toBe(990.09901);
    expect(read.netValue).toBe(roundUsd(100_000));
  });

  test("the figures of a position without a quote or a rate are null, not zero", () => {
    const unknown = { mark: null, unrealizedPnl: null, netValue: null, currentReturn: null };
    expect(reading(LONG, {})).toMatchObject(unknown);
    const cross = { pair: "EURJPY", direction: "long", lots: 1, entry: 160 } as const;
    expect(reading(cross, { EURJPY: 160 })).toMatchObject(unknown);
  });

  test("a position is stale when its price is too old to fill an order, and then shows the last known figures [D13.types] [D13.stalePosition]", () => {
    const fresh = reading(LONG, { BTCUSD: 51_000 });
    expect(fresh.isStale).toBe(false);
    const later = reading(LONG, { BTCUSD: 51_000 }, { now: unixMs(TEST_TIME_MS + 3_600_000) });
    expect(later).toEqual({ ...fresh, isStale: true });
    expect(reading(LONG, {}).isStale).toBe(true);
  });

  test("a position shows the nearest stop and target of its legs, and null without legs [D4.nearestLegs]", () => {
    const legs: Legs = [
      { stopLoss: price(48_000), takeProfit: price(60_000) },
      { stopLoss: price(49_000) },
      { takeProfit: price(55_000) },
    ];
    expect(reading(LONG, { BTCUSD: 50_000 }, { legs })).toMatchObject({
      stopLoss: 49_000,
      takeProfit: 55_000,
    });
    const above: Legs = [
      { stopLoss: price(52_000), takeProfit: price(45_000) },
      { stopLoss: price(51_000), takeProfit: price(47_000) },
    ];
    expect(reading(SHORT, { BTCUSD: 50_000 }, { legs: above })).toMatchObject({
      stopLoss: 51_000,
      takeProfit: 47_000,
    });
    expect(reading(LONG, { BTCUSD: 50_000 })).toMatchObject({ stopLoss: null, takeProfit: null });
  });

  test("a position shows the present level of a trailing stop", () => {
    const legs: Legs = [
      { trailing: { kind: "percent", ratio: ratio(0.02) }, bestPrice: price(110) },
    ];
    const made = { pair: "BTCUSD", direction: "long", lots: 1, entry: 100 } as const;
    expect(reading(made, { BTCUSD: 108 }, { legs }).stopLoss).toBe(107.8);
  });
});
