import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { ACCOUNT } from "./resources/account.ts";
import { TRADE } from "./resources/trade.ts";
import { hasUnsent, ifSent, linked, list, number, object, word } from "./schema.ts";

const FIGURES = object("Figures.", {
  days: list(
    object("A day.", {
      balance: ifSent(number("Balance, USD.")),
      kind: ifSent(word(["a", "b"], "One of two.")),
    }),
    "Days.",
  ),
});

test("a figure that a validator may not send is nullable for linked accounts alone [D13.types]", () => {
  const own = JSON.stringify(FIGURES.json);
  expect(own).not.toContain("null");
  expect(JSON.parse(JSON.stringify(linked(FIGURES).json))).toMatchObject({
    properties: {
      days: {
        items: {
          required: ["balance", "kind"],
          properties: {
            balance: {
              type: ["number", "null"],
              description: "Balance, USD; null when the network did not send it.",
            },
            kind: {
              type: ["string", "null"],
              enum: ["a", "b", null],
              description: "One of two; null when the network did not send it.",
            },
          },
        },
      },
    },
  });
  // Making the second schema does not change the first one.
  expect(JSON.stringify(FIGURES.json)).toBe(own);
});

test("an answer lacks a figure when it is null at any depth, and not when another field is null", () => {
  const day = { balance: 1, kind: "a" };
  expect(hasUnsent(FIGURES.json, { days: [day, day] })).toBe(false);
  expect(hasUnsent(FIGURES.json, { days: [day, { ...day, kind: null }] })).toBe(true);
  expect(hasUnsent(TRADE.json, { stopLoss: null, takeProfit: null, quantity: null })).toBe(false);
  expect(hasUnsent(ACCOUNT.json, { proTrack: null, drawdownRules: null })).toBe(false);
  const rules = { dailyLoss: { usedPct: null } };
  expect(hasUnsent(ACCOUNT.json, { drawdownRules: rules })).toBe(true);
});

test("the document of a service without a validator has no figure that is null when unsent [D13.types]", () => {
  const settings = { brand: "Service", networkName: "Propgate", baseUrl: null };
  const text = (hasLinked: boolean) => JSON.stringify(openApiDocument({ ...settings, hasLinked }));
  const unsent = /null when the network did not send it/g;
  expect(text(false)).not.toMatch(unsent);
  expect(text(true).match(unsent)?.length).toBeGreaterThan(80);
});
