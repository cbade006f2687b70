import { describe, expect, test } from "vitest";
import { drawBase62 } from "./draw-base62.ts";
import type { Chance } from "./random.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A chance that gives these bytes, one list for each call. */
function chanceOf(...calls: readonly (readonly number[])[]): Chance {
  const left = [...calls];
  return {
    bytes: (count) => {
      const given = left.shift();
      expect(given).toHaveLength(count);
      return Uint8Array.from(given ?? []);
    },
    uuid: () => "",
  };
}

describe("letters and digits drawn by chance [D8.keys]", () => {
  test("every byte below 248 draws its digit, so each digit has four of 248", () => {
    const bytes = Array.from({ length: 248 }, (_, byte) => byte);
    expect(drawBase62(chanceOf(bytes), 248)).toBe(DIGITS.repeat(4));
  });

  test("the eight bytes that would favour a digit are drawn again", () => {
    const above = [248, 249, 250, 251, 252, 253, 254, 255];
    const drawn = chanceOf([0, ...above, 61], above, [1, 2, 3, 4, 5, 6, 7, 8]);
    expect(drawBase62(drawn, 10)).toBe("0z12345678");
  });
});
