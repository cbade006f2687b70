import { describe, expect, test } from "vitest";
import { priceText, roundPrice } from "./price-text.ts";

describe("the text of a price", () => {
  test.each([
    [1.3832893801, 0.00001, "1.38329"],
    [0.8652, 0.00001, "0.86520"],
    [46_679.1573826715, 0.01, "46,679.16"],
    [31_145, 0.5, "31,145.0"],
    [157.2, 1, "157"],
    [0.1 + 0.2, null, "0.3"],
    [1.103795, 0.00001, "1.10380"],
  ])("the price %d with a tick of %s is written %s", (value, tick, text) => {
    expect(priceText(value, { tick })).toBe(text);
  });

  test.each([
    [1.38328, "1.38328"],
    [1.383285, "1.383285"],
    [1.38328512345, "1.3832851"],
  ])("a price of %d that a trader sent keeps two digits beyond the tick: %s", (value, text) => {
    expect(priceText(value, { tick: 0.00001, isSent: true })).toBe(text);
  });

  test("a file has the same price without the rounding noise of floating point", () => {
    expect(roundPrice(84_727.199_999_999_98, { tick: 0.01 })).toBe(84_727.2);
    expect(roundPrice(1.3832893801, { tick: 0.00001 })).toBe(1.38329);
    expect(roundPrice(1.103795, { tick: 0.00001 })).toBe(1.1038);
  });
});
