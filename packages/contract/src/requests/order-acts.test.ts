import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { REQUEST_EXAMPLES } from "../examples/examples.ts";
import type { Schema } from "../schema.ts";
import { CANCEL_REQUEST, CLOSE_REQUEST, EDIT_REQUEST, ENTRY_REQUEST } from "./order-acts.ts";

const ACTS: readonly (readonly [string, Schema<unknown>, readonly string[]])[] = [
  ["entries", ENTRY_REQUEST, ["market", "limit", "stopLimit", "bracket"]],
  ["edits", EDIT_REQUEST, ["edit"]],
  ["cancellations", CANCEL_REQUEST, ["cancel"]],
  ["closing orders", CLOSE_REQUEST, ["flatten", "flat"]],
];

describe("the schemas of orders for agents, which do not validate [D10.openapi]", () => {
  test.each(ACTS)(
    "the schema of %s matches the contract's examples and has no rule that only a validator reads",
    (_, { json }, examples) => {
      const matches = new Ajv2020({ strict: false }).compile(json);
      for (const name of examples) expect(matches(REQUEST_EXAMPLES[name])).toBe(true);
      expect(JSON.stringify(json)).not.toMatch(/"(allOf|oneOf|not)":/);
    },
  );

  test("the rules between fields are sentences in the description", () => {
    const text = JSON.stringify(ENTRY_REQUEST.json);
    expect(text).toContain("Fills immediately. Exactly one of `leverage`, `value` and `quantity`.");
    expect(text).toContain("At most one of `trailing_percent` and `trailing_value`.");
    // Agents pay for every character of a schema.
    expect(text.length).toBeLessThan(16_000);
  });

  test("a field that a shape must not have is left out", () => {
    const { trade } = EDIT_REQUEST.json.properties as {
      readonly trade: { readonly anyOf: readonly { readonly properties: object }[] };
    };
    const withStop = trade.anyOf.map(({ properties }) => "stop_price" in properties);
    expect(withStop).toEqual([false, true, false]);
  });
});
