import { roundUsd } from "@propgate/core";
import { describe, expect, test } from "vitest";
import {
  accountLeverageText,
  durationText,
  leverageText,
  moneyText,
  percentText,
  priceText,
  roundedPercent,
  shortSizeText,
  sizeText,
} from "./format.ts";

describe("display texts [D3.formats]", () => {
  test.each([
    [1234.56, "$1,234.56"],
    [0, "$0.00"],
    [-0.5, "-$0.50"],
    [-0.001, "$0.00"],
    [1_234_567.891, "$1,234,567.89"],
    [999.995, "$1,000.00"],
  ])("money %d reads %s", (usd, text) => {
    expect(moneyText(roundUsd(usd))).toBe(text);
  });

  test.each([
    [100_000, "$100,000", "$100K"],
    [2500, "$2,500", "$2.5K"],
    [1_000_000, "$1,000,000", "$1M"],
    [500, "$500", "$500"],
  ])("a size of %d reads %s and is called %s", (usd, text, short) => {
    expect(sizeText(roundUsd(usd))).toBe(text);
    expect(shortSizeText(roundUsd(usd))).toBe(short);
  });

  test.each([
    [0.123456, "0.12346"],
    [0.5, "0.50"],
    [1.1, "1.10"],
    [1.08765, "1.0877"],
    [99.99994, "99.9999"],
    [150, "150.00"],
    [50_000.126, "50000.13"],
  ])("a price of %d without a known tick reads %s", (value, text) => {
    expect(priceText(value, null)).toBe(text);
  });

  test.each([
    [1.14997, 0.00001, "1.14997"],
    [1.1, 0.00001, "1.10000"],
    [1.149973, 0.00001, "1.14997"],
    [150.123, 0.001, "150.123"],
    [50_000.126, 0.01, "50000.13"],
    [18_250.5, 0.5, "18250.50"],
    [0.123456, 0.01, "0.12346"],
    [157.2, 1, "157.20"],
    [0.000012345, 0.0000001, "0.0000123"],
  ])("a price of %d with a tick of %d reads %s [D13.tickShown]", (value, tick, text) => {
    expect(priceText(value, tick)).toBe(text);
  });

  test.each([
    [1.103795, 0.00001, "1.10380"],
    [162.1805, 0.001, "162.181"],
    [1.005, null, "1.005"],
    [50_000.125, 0.01, "50000.13"],
    [8.345, 0.01, "8.345"],
    [115.345, 0.01, "115.35"],
    [50_041.325, 0.01, "50041.33"],
    // A little below a half stays below it.
    [1.1037949999, 0.00001, "1.10379"],
  ])(
    "of a price of %d with a tick of %d, a half of the last decimal is rounded up: %s",
    (value, tick, text) => {
      expect(priceText(value, tick)).toBe(text);
    },
  );

  test("a half of a leverage's last decimal is rounded up", () => {
    expect(leverageText(1.005)).toBe("1.01x");
    expect(leverageText(0.145)).toBe("0.15x");
    expect(accountLeverageText(3.08295, 15)).toBe("Current - 3.0830x / Max - 15x");
    expect(accountLeverageText(1.53755, 15)).toBe("Current - 1.5376x / Max - 15x");
  });

  test("leverage, split and duration have their display texts", () => {
    expect(leverageText(0.55)).toBe("0.55x");
    expect(accountLeverageText(0, 10)).toBe("Current - 0.0000x / Max - 10x");
    expect(percentText(0.8)).toBe("80%");
    expect(percentText(1.1)).toBe("110%");
    expect(roundedPercent(0.07)).toBe(7);
    expect(roundedPercent(0.012345679)).toBe(1.2345679);
    expect(durationText(5 * 3_600_000 + 7 * 60_000)).toBe("5h 07m");
    expect(durationText(null)).toBe("--");
  });
});
