import { expect, test } from "vitest";
import { POSITION } from "./resources/position.ts";
import { ifSent, number, word } from "./schema.ts";

test("a field that a network may not send is nullable, and its description says when it is null", () => {
  expect(ifSent(number("Balance, USD.")).json).toEqual({
    type: ["number", "null"],
    description: "Balance, USD; null when the network did not send it.",
  });
  expect(ifSent(word(["a", "b"], "One of two.")).json).toEqual({
    type: ["string", "null"],
    enum: ["a", "b", null],
    description: "One of two; null when the network did not send it.",
  });
});

test("the entry price of a position is required, and null when the network did not send it", () => {
  expect(POSITION.json).toMatchObject({
    required: expect.arrayContaining(["averageEntryPrice"]),
    properties: { averageEntryPrice: { type: ["number", "null"] } },
  });
});
