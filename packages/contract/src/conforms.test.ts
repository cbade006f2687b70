import { describe, expect, test } from "vitest";
import { conforms, schemaProblemOf } from "./conforms.ts";
import {
  ACCOUNT,
  ORDER_FILLED,
  ORDER_RESULT,
  PENDING_ORDER,
  PENDING_ORDERS,
  POSITION,
  POSITIONS,
  TRADE,
  TRADES,
} from "./index.ts";

describe("received values are checked against the contract", () => {
  test.each([
    [POSITION, POSITIONS[0]],
    [PENDING_ORDER, PENDING_ORDERS[0]],
    [TRADE, TRADES[0]],
    [ORDER_RESULT, ORDER_FILLED],
  ])("the contract's examples conform", (schema, example) => {
    expect(schemaProblemOf(schema.json, example, "data")).toBeNull();
    expect(schemaProblemOf(schema.json, { ...example, somethingNew: 1 }, "data")).toBeNull();
  });

  test.each([
    [{ ...POSITIONS[0], netValue: "1" }, "data.netValue is not number"],
    [{ ...POSITIONS[0], openMs: null }, "data.openMs is not integer"],
    [{ ...POSITIONS[0], netLeverage: Number.NaN }, "data.netLeverage is not number"],
    [null, "data is not object"],
    [[], "data is not object"],
  ])("%j does not conform", (value, problem) => {
    expect(schemaProblemOf(POSITION.json, value, "data")).toBe(problem);
  });

  test("a missing field is named, in a list with its index", () => {
    const { tradePair: _, ...rest } = POSITIONS[0] ?? { tradePair: "" };
    const schema = { type: "array", items: POSITION.json };
    expect(schemaProblemOf(schema, [POSITIONS[0], rest], "data")).toBe(
      "data[1].tradePair is missing",
    );
    expect(conforms(ACCOUNT, {})).toBe(false);
  });

  test("an unknown word is accepted [S9.additive]", () => {
    expect(conforms(TRADE, { ...TRADES[0], status: "EXPIRED" })).toBe(true);
  });
});
