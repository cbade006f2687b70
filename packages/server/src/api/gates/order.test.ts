import { ERROR_NAMES, type ErrorName } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { ADMITTED_GATES, HEAD_GATES, KEY_GATES, SIGNATURE_GATES } from "./order.ts";

/** The possible answers of each gate, in the order in which they run. */
const ANSWERS: readonly (readonly [string, readonly ErrorName[]])[] = [
  ["credentials", ["missingCredentials"]],
  ["timestampForm", ["invalidTimestamp"]],
  ["timestampSkew", ["timestampInvalid"]],
  ["activeKey", ["invalidKey"]],
  ["openableSecret", ["decryptFailed"]],
  ["signature", ["badSignature"]],
  ["nonce", ["nonceUsed"]],
  ["scope", ["insufficientScope"]],
  ["readBudget", ["rateLimited"]],
  ["receiptBudget", ["tooManyReceipts"]],
  ["failureGuard", ["tooManyFailedRequests"]],
  ["boundAccount", ["malformedAccountId", "differentAccount"]],
  ["account", ["accountNotFound"]],
  ["offered", ["notOffered"]],
];

describe("the order of checks is one list [D2.order]", () => {
  const gates = [...HEAD_GATES, ...KEY_GATES, ...SIGNATURE_GATES, ...ADMITTED_GATES];

  test("gates run in this order", () => {
    // These two gates answer like other gates: for a key revoked on another node, and for an hourly budget.
    const repeated = ["stillActiveKey", "refusedOften"];
    const names = gates.map((gate) => gate.name).filter((name) => !repeated.includes(name));
    expect(names).toEqual(ANSWERS.map(([name]) => name));
  });

  test("the errors of the gates have the same order in the contract", () => {
    const errors = ANSWERS.flatMap(([, names]) => names);
    expect(ERROR_NAMES.filter((name) => errors.includes(name))).toEqual(errors);
  });

  test("the numbers of the checks rise, but for the key that is looked at twice", () => {
    const places = gates.filter(({ name }) => name !== "stillActiveKey").map(({ place }) => place);
    expect(places.toSorted((left, right) => left - right)).toEqual(places);
    expect(new Set(places).size).toBe(11);
  });
});
