import { TRADES } from "@propgate/contract";
import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";
import { tradeCsv } from "./trade-columns.ts";

/** 84,727.2 with the noise of floating-point arithmetic: 84,727.19999999998. */
const NOISY = 847_271.999_999_999_8 / 10;

test("a file of trades has prices rounded to their tick and no floating-point noise", () => {
  const [trade] = TRADES;
  if (trade === undefined) throw new Error("the examples have a trade");
  const noisy = {
    ...trade,
    quantity: 0.1 + 0.2,
    entryPriceNumeric: 46_679.157_382,
    closePriceNumeric: NOISY,
    realizedPnl: 0.1 + 0.2,
    totalFees: 1.000_001,
    positionSizeNumeric: NOISY,
    leverageNumeric: 0.7 + 0.1,
    returnAtClose: 0.1 + 0.2,
  };
  const [head = "", row = ""] = csvOf(
    tradeCsv(() => 0.01),
    [noisy],
  ).split("\r\n");
  const cells = row.split(",");
  const named = Object.fromEntries(head.split(",").map((name, at) => [name, cells[at]]));
  expect(named).toMatchObject({
    quantity: "0.3",
    entryPrice: "46679.16",
    closePrice: "84727.2",
    realizedPnl: "0.3",
    totalFees: "1.000001",
    netPnl: "-0.700001",
    positionSize: "84727.2",
    leverage: "0.8",
    returnAtClose: "0.3",
  });
});
