import { describe, expect, test } from "vitest";
import { pairId } from "../ids.ts";
import { unixMs } from "../units.ts";
import { actionId, type CorporateAction } from "./corporate-action.ts";
import { findMissingSplit } from "./former-scale.ts";

const MOMENT = Date.parse("2026-01-12T14:30Z");
const DAY_MS = 86_400_000;

function split(id: string, ratio: string, afterMs = 0): CorporateAction {
  const [newShares = 1, oldShares = 1] = ratio.split(":").map(Number);
  const atMs = unixMs(MOMENT + afterMs);
  const named = { id: actionId(id), pair: pairId("AAPL"), atMs, announcedAtMs: atMs };
  return { ...named, kind: "split", newShares, oldShares };
}

describe("a price of the scale before a split [D13.formerScale]", () => {
  test.each([
    ["the old price after 4:1", "4:1", 50, 200, 0, "s"],
    ["a price just nearer to the old scale", "4:1", 50, 100.01, 0, "s"],
    ["a price in the middle of both", "4:1", 50, 100, 0, null],
    ["a price of the new scale", "4:1", 50, 52, 0, null],
    ["a price far below the new scale", "4:1", 50, 5, 0, null],
    ["the old price a millisecond before the moment", "4:1", 50, 200, -1, null],
    ["the old price in the last millisecond of the day", "4:1", 50, 200, DAY_MS - 1, "s"],
    ["the old price a day later", "4:1", 50, 200, DAY_MS, null],
    ["the old price after a reverse split", "1:10", 2_000, 200, 0, "s"],
    ["a price of the new scale after a reverse split", "1:10", 2_000, 1_900, 0, null],
    ["a rise of 23 % after 3:2", "3:2", 100, 123, 0, "s"],
    ["a rise of 22 % after 3:2", "3:2", 100, 122, 0, null],
  ])("%s is compared with the scale of before", (_, ratio, expected, mid, afterMs, found) => {
    const price = { mid, atMs: unixMs(MOMENT + afterMs) };
    expect(findMissingSplit(expected, price, [split("s", ratio)])?.id ?? null).toBe(found);
  });

  test("each of two splits of a day has its own scale from before it", () => {
    const both = [split("one", "4:1"), split("two", "2:1", 60_000)];
    const at = (mid: number, afterMs: number) =>
      findMissingSplit(25, { mid, atMs: unixMs(MOMENT + afterMs) }, both)?.id ?? null;
    expect([at(25, 60_000), at(50, 60_000), at(200, 60_000)]).toEqual([null, "two", "two"]);
    const undone = [split("one", "4:1"), split("two", "1:4", 60_000)];
    const price = { mid: 200, atMs: unixMs(MOMENT + 60_000) };
    expect(findMissingSplit(200, price, undone)).toBe(null);
  });

  test("a dividend has no scale", () => {
    const [atMs, pair] = [unixMs(MOMENT), pairId("AAPL")];
    const dividend = { id: actionId("d"), pair, atMs, announcedAtMs: atMs, amount: 1 } as const;
    const price = { mid: 200, atMs };
    expect(findMissingSplit(50, price, [{ ...dividend, kind: "dividend" }])).toBe(null);
  });
});
