import { ERROR_NAMES, type ErrorName } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { ADMITTED_GATES, KEY_GATES, SIGNATURE_GATES, STRANGER_GATES } from "./order.ts";

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
  const gates = [...STRANGER_GATES, ...KEY_GATES, ...SIGNATURE_GATES, ...ADMITTED_GATES];

  test("gates run in this order", () => {
    // Neither gate has an answer of its own: a key revoked on another node, an hourly budget.
    const repeated = ["stillActiveKey", "refusedOften"];
    const names = gates.map((gate) => gate.name).filter((name) => !repeated.includes(name));
    expect(names).toEqual(ANSWERS.map(([name]) => name));
  });

  test("their errors have the same order in the contract", () => {
    const errors = ANSWERS.flatMap(([, names]) => names);
    expect(ERROR_NAMES.filter((name) => errors.includes(name))).toEqual(errors);
  });

  test("only gates behind the signature store anything", () => {
    expect([...STRANGER_GATES, ...KEY_GATES, ...SIGNATURE_GATES]).toHaveLength(6);
    expect(ADMITTED_GATES.every((gate) => gate.place >= 7 || gate.name === "stillActiveKey")).toBe(
      true,
    );
  });
});
