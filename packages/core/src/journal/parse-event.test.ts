import { describe, expect, test } from "vitest";
import { parseEvent } from "./parse-event.ts";

const read = (event: object): unknown => parseEvent(JSON.stringify(event));
const eliminated = (elimination: object) => ({ type: "accountEliminated", atMs: 1, elimination });

describe("lines of journals of state format 3 are read in the present form", () => {
  test.each([
    [
      { reason: "FAILED_PRO_FUNDED_PERIOD_EOD_DRAWDOWN", atMs: 1, drawdownPct: 5.2 },
      {
        cause: { kind: "lossLimit", phase: "proFunded", rule: "endOfDayTrailing" },
        atMs: 1,
        drawdownPct: 5.2,
      },
    ],
    [
      { reason: "FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN", atMs: 1, drawdownPct: 5 },
      {
        cause: { kind: "lossLimit", phase: "challenge", rule: "dailyLoss" },
        atMs: 1,
        drawdownPct: 5,
      },
    ],
    [
      { reason: "INACTIVE", atMs: 1, drawdownPct: null },
      { cause: { kind: "inactivity" }, atMs: 1, drawdownPct: null },
    ],
    [
      { reason: "by hand", atMs: 1, drawdownPct: null },
      { cause: { kind: "operator", reason: "by hand" }, atMs: 1, drawdownPct: null },
    ],
    [
      { reason: "FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN", atMs: 1, drawdownPct: null },
      {
        cause: { kind: "operator", reason: "FAILED_CHALLENGE_PERIOD_STATIC_DRAWDOWN" },
        atMs: 1,
        drawdownPct: null,
      },
    ],
  ])("the elimination %j", (former, present) => {
    expect(read(eliminated(former))).toEqual(eliminated(present));
    expect(read(eliminated(present))).toEqual(eliminated(present));
  });

  test.each([
    ["per pair cap 1.5x", { cap: 1.5, of: { kind: "pair" } }],
    ["per class cap forex 0.5x", { cap: 0.5, of: { kind: "class", assetClass: "forex" } }],
    [
      "sector:big tech exposure cap 2x",
      { cap: 2, of: { kind: "group", group: "sector:big tech" } },
    ],
    ["overall portfolio cap 15x", { cap: 15, of: { kind: "portfolio" } }],
  ])("a fill and a rejection by the cap %s", (former, present) => {
    const fill = { type: "orderFilled", atMs: 1, orderUuid: "o1" };
    const rejection = { type: "orderRejected", atMs: 1, orderUuid: "o1" };
    const noRoom = { code: "noRoom", pair: "BTCUSD" };
    for (const cap of [former, present]) {
      expect(read({ ...fill, bindingCap: cap })).toEqual({ ...fill, bindingCap: present });
      expect(read({ ...rejection, refusal: { ...noRoom, cap } })).toEqual({
        ...rejection,
        refusal: { ...noRoom, cap: present },
      });
    }
  });

  test("a fill without a cap and a rejection for another reason stay as they are", () => {
    const fill = { type: "orderFilled", atMs: 1, bindingCap: null };
    expect(read(fill)).toEqual(fill);
    const rejection = { type: "orderRejected", refusal: { code: "marketClosed", pair: "BTCUSD" } };
    expect(read(rejection)).toEqual(rejection);
  });

  test("a cap or a reason in unknown words is a fault, not a guess", () => {
    expect(() => read({ type: "orderFilled", bindingCap: "buying power" })).toThrow("a known cap");
    const breach = { reason: "FAILED", atMs: 1, drawdownPct: 5 };
    expect(() => read(eliminated(breach))).toThrow("a known reason");
  });
});
