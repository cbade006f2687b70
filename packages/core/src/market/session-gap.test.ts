import { describe, expect, test } from "vitest";
import { pairId } from "../ids.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import { price, ratio, unixMs } from "../units.ts";
import { actionId, quoteInScale } from "./corporate-action.ts";
import type { Quote } from "./quote.ts";
import { implausibleGap } from "./session-gap.ts";

const AAPL = pairId("AAPL");
const instrument = TEST_CATALOGUE.get(AAPL);
const at = (text: string) => unixMs(Date.parse(text));
const quote = (mid: number, atMs: string): Quote => ({
  pair: AAPL,
  bid: price(mid),
  ask: price(mid),
  atMs: at(atMs),
});
const FRIDAY_CLOSE = quote(200, "2026-01-09T20:59:59Z");

describe("an implausible gap between two sessions [D11.gap]", () => {
  test.each([
    ["a fall of exactly the limit is plausible", 140, "2026-01-12T14:30Z", null],
    ["a fall beyond the limit is not", 139.98, "2026-01-12T14:30Z", 0.3001],
    ["a rise beyond the limit is not", 260.02, "2026-01-12T14:30Z", 0.3001],
    ["a quarter after a split of 4:1 is not", 50, "2026-01-12T14:30Z", 0.75],
    ["the same distance within a session is not its business", 50, "2026-01-09T20:59:59.5Z", null],
    ["a quote of the same time is none", 50, "2026-01-09T20:59:59Z", null],
  ])("%s", (_, mid, atMs, gap) => {
    expect(instrument).toBeDefined();
    if (instrument === undefined) return;
    const found = implausibleGap(FRIDAY_CLOSE, quote(mid, atMs), instrument);
    expect(found === null ? null : Number(found.toFixed(6))).toBe(gap);
  });

  test("an instrument's own limit replaces that of its class", () => {
    if (instrument === undefined) throw new Error("no AAPL");
    const careful = { ...instrument, sessionGapMax: ratio(0.1) };
    expect(implausibleGap(FRIDAY_CLOSE, quote(179, "2026-01-12T14:30Z"), careful)).not.toBe(null);
    expect(implausibleGap(FRIDAY_CLOSE, quote(181, "2026-01-12T14:30Z"), careful)).toBe(null);
  });

  test("an announced split explains its gap", () => {
    if (instrument === undefined) throw new Error("no AAPL");
    const split = {
      id: actionId("s"),
      pair: AAPL,
      atMs: at("2026-01-12T14:30Z"),
      announcedAtMs: at("2026-01-12T14:00Z"),
      kind: "split",
      newShares: 4,
      oldShares: 1,
    } as const;
    const scale = { now: split.atMs, isPending: () => false };
    const last = quoteInScale(FRIDAY_CLOSE, [split], scale);
    expect(implausibleGap(last, quote(50, "2026-01-12T14:30Z"), instrument)).toBe(null);
    expect(implausibleGap(last, quote(200, "2026-01-12T14:30Z"), instrument)).toBe(3);
  });
});
