import { describe, expect, test } from "vitest";
import { wireJson } from "./wire-json.ts";

describe("numbers of an answer [D10.noNoise]", () => {
  test.each([
    [104_033.450_000_000_01, "104033.45"],
    [0.1 + 0.2, "0.3"],
    [1 / 3, "0.333333333333"],
    [200 / 3, "66.6666666667"],
    [123_456.789_012_345, "123456.789012"],
    // Money is whole millionths of a dollar, so all its digits are significant.
    [123_456_789.123_456, "123456789.123456"],
    [-4_503_599_627.370_496, "-4503599627.370496"],
    [0.000_001, "0.000001"],
    [1e-9, "1e-9"],
    [1_767_614_400_000, "1767614400000"],
    [0, "0"],
    [Number.NaN, "null"],
  ])("%d is sent as %s", (value, text) => {
    expect(wireJson(value)).toBe(text);
    expect(wireJson({ list: [{ value }] })).toBe(`{"list":[{"value":${text}}]}`);
  });

  test("what was sent once is sent alike again", () => {
    const first = wireJson({ ratio: 2 / 3, text: "0.30000000000000004", none: null });
    expect(first).toBe('{"ratio":0.666666666667,"text":"0.30000000000000004","none":null}');
    expect(wireJson(JSON.parse(first))).toBe(first);
  });
});
