import { expect, test } from "vitest";
import { alertSentence } from "./alert-sentence.ts";

const KEY = { keyId: "pk_7c1e", by: "Ann", untilMs: 1_767_657_600_000 };

test.each([
  ["bot", '"bot"'],
  ["", "pk_7c1e"],
])("a sentence about a key with the label %j names it %s", (label, name) => {
  const data = { ...KEY, label };
  expect(alertSentence({ type: "key.created", data })).toBe(`The key ${name} was created by Ann.`);
  expect(alertSentence({ type: "key.revoked", data })).toBe(`The key ${name} was revoked by Ann.`);
  expect(alertSentence({ type: "key.paused", data })).toBe(
    `The key ${name} is paused until 2026-01-06T00:00:00.000Z, after too many rejected orders.`,
  );
});
