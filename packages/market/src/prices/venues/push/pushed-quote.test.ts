import { describe, expect, test } from "vitest";
import {
  madeCatalogue,
  madeInstrument,
} from "../../../../../server/src/testing/made-instrument.ts";
import { parsePushedQuote, pushablePairs } from "./pushed-quote.ts";

const PAIRS = pushablePairs(madeCatalogue(madeInstrument("BTCUSD")));
const parse = (text: string) => parsePushedQuote(text, PAIRS);

describe("a pushed quote", () => {
  test.each([
    [
      '{"tradePair":"BTCUSD","bid":1.5,"ask":2}',
      { pair: "BTCUSD", bid: 1.5, ask: 2, madeAtMs: null, sequence: null },
    ],
    [
      ' {"sequence":0,"ask":2,"bid":2,"tradePair":"BTCUSD","madeAtMs":1700000000000} \r',
      { pair: "BTCUSD", bid: 2, ask: 2, madeAtMs: 1_700_000_000_000, sequence: 0 },
    ],
    [
      '{"tradePair":"BTCUSD","bid":1e-9,"ask":1.7e308,"madeAtMs":null,"sequence":null}',
      { pair: "BTCUSD", bid: 1e-9, ask: 1.7e308, madeAtMs: null, sequence: null },
    ],
  ])("a pushed quote is read from %s", (text, quote) => {
    expect(parse(text)).toEqual(quote);
  });

  test.each(["BTC/USD", "btcusd", "btc/usd"])(
    "a pushed quote may name its pair %s [D1.pairs]",
    (name) => {
      const text = JSON.stringify({ tradePair: name, bid: 1.5, ask: 2 });
      expect(parse(text)).toMatchObject({ pair: "BTCUSD", bid: 1.5, ask: 2 });
    },
  );

  test.each([
    ["", "notJson", null],
    ["{", "notJson", null],
    ["null", "notJson", null],
    ["[]", "notJson", null],
    ["5", "notJson", null],
    ['"BTCUSD"', "notJson", null],
    ['{"tradePair":"BTCUSD","bid":NaN,"ask":2}', "notJson", null],
    ["{}", "missingField", "tradePair"],
    ['{"tradePair":null,"bid":1,"ask":2}', "missingField", "tradePair"],
    ['{"tradePair":1,"bid":1,"ask":2}', "wrongValue", "tradePair"],
    ['{"tradePair":"DOGEMOON","bid":1,"ask":2}', "unknownPair", "tradePair"],
    ['{"tradePair":"constructor","bid":1,"ask":2}', "unknownPair", "tradePair"],
    ['{"tradePair":"__proto__","bid":1,"ask":2}', "unknownPair", "tradePair"],
    ['{"tradePair":"BTCUSD","ask":2}', "missingField", "bid"],
    ['{"tradePair":"BTCUSD","bid":"1","ask":2}', "wrongValue", "bid"],
    ['{"tradePair":"BTCUSD","bid":0,"ask":2}', "wrongValue", "bid"],
    ['{"tradePair":"BTCUSD","bid":-1,"ask":2}', "wrongValue", "bid"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":1e400}', "wrongValue", "ask"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":{}}', "wrongValue", "ask"],
    ['{"tradePair":"BTCUSD","bid":3,"ask":2}', "crossed", "bid"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"madeAtMs":1700000000}', "wrongValue", "madeAtMs"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"madeAtMs":1.5e12}', null, null],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"madeAtMs":1700000000000.5}', "wrongValue", "madeAtMs"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"madeAtMs":"2026"}', "wrongValue", "madeAtMs"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"sequence":-1}', "wrongValue", "sequence"],
    [
      '{"tradePair":"BTCUSD","bid":1,"ask":2,"sequence":9007199254740993}',
      "wrongValue",
      "sequence",
    ],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"madeAt":1}', "unknownField", "madeAt"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"__proto__":{"ask":3}}', "unknownField", "__proto__"],
    ['{"tradePair":"BTCUSD","bid":1,"bid":2,"ask":2}', "duplicateField", "bid"],
    ['{"tradePair":"BTCUSD","bid":1,"ask":2,"b\\u0069d":2}', "duplicateField", null],
  ])("%s is rejected as %s of %s", (text, reason, field) => {
    if (reason === null) expect(parse(text)).not.toHaveProperty("reason");
    else expect(parse(text)).toMatchObject({ reason, field });
  });

  test.each([
    [1_767_614_400, "seconds"],
    [1_767_614_400_000_000, "microseconds"],
    [1_767_614_400_000_000_000, "nanoseconds"],
  ])("a time of %d is rejected with its unit", (madeAtMs, unit) => {
    expect(parse(JSON.stringify({ tradePair: "BTCUSD", bid: 1, ask: 2, madeAtMs }))).toMatchObject({
      reason: "wrongValue",
      message: `madeAtMs must be whole Unix milliseconds; it looks like ${unit}`,
    });
  });

  test("a problem never repeats the line, and only the beginning of an unknown name", () => {
    const problem = parse(`{"tradePair":"BTCUSD","bid":1,"ask":2,"${"x".repeat(900)}":"secret"}`);
    expect(JSON.stringify(problem).length).toBeLessThan(200);
    expect(JSON.stringify(problem)).not.toContain("secret");
  });
});
