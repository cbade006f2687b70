import { describe, expect, test } from "vitest";
import { pairId, positionUuid } from "../ids.ts";
import { microUsd, price, quantity, unixMs } from "../units.ts";
import {
  addToPosition,
  openPosition,
  type PositionFill,
  reducePosition,
} from "./position-fills.ts";

const FILL: PositionFill = {
  atMs: unixMs(1),
  positionUuid: positionUuid("o1"),
  pair: pairId("BTCUSD"),
  direction: "long",
  price: price(100),
  quantity: quantity(100_000),
  value: microUsd(100_000_000),
  fee: microUsd(30_000),
  realizedPnl: microUsd(0),
};
const BALANCE = microUsd(1_000_000_000);
const SECOND: PositionFill = {
  ...FILL,
  price: price(106),
  quantity: quantity(200_000),
  value: microUsd(212_000_000),
  fee: microUsd(63_600),
};

describe("a position", () => {
  test("an add averages the entry price by quantity [D5.average]", () => {
    const position = addToPosition(openPosition(FILL, BALANCE), SECOND);
    expect(position.averageEntryPrice).toBe(104);
    expect(position.quantity).toBe(300_000);
    expect(position.openedQuantity).toBe(300_000);
    expect(position.entryValue).toBe(312_000_000);
    expect(position.cumulativeEntryValue).toBe(312_000_000);
    expect(position.fees).toBe(93_600);
  });

  test("a reduction keeps the entry price and reduces the entry value in proportion [D5.average]", () => {
    const position = reducePosition(addToPosition(openPosition(FILL, BALANCE), SECOND), {
      ...FILL,
      direction: "short",
      price: price(110),
      realizedPnl: microUsd(6_000_000),
      fee: microUsd(33_000),
    });
    expect(position.direction).toBe("long");
    expect(position.averageEntryPrice).toBe(104);
    expect(position.quantity).toBe(200_000);
    expect(position.openedQuantity).toBe(300_000);
    expect(position.exitQuantity).toBe(100_000);
    expect(position.entryValue).toBe(208_000_000);
    expect(position.cumulativeEntryValue).toBe(312_000_000);
    expect(position.realizedPnl).toBe(6_000_000);
  });

  test("an add after a reduction averages the open quantity for the entry price, and every entry for the opened price [D4.tradePrices]", () => {
    const half: PositionFill = { ...FILL, direction: "short", quantity: quantity(50_000) };
    const position = addToPosition(reducePosition(openPosition(FILL, BALANCE), half), {
      ...FILL,
      price: price(220),
    });
    expect(position.averageEntryPrice).toBe(180);
    expect(position.openedPrice).toBe(160);
    expect(position.openedQuantity).toBe(200_000);
  });

  test("a reduction beyond the open quantity throws and never flips the position [D5.neverFlips]", () => {
    expect(() => reducePosition(openPosition(FILL, BALANCE), SECOND)).toThrow(/broken invariant/);
  });
});
