import { ERROR_NAMES, type ErrorName } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { ADMITTED_GATES, KEY_GATES, STRANGER_GATES } from "./order.ts";

/** What each gate can answer with, in the order in which they run. */
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
  ["failureGuard", ["tooManyFailedRequests"]],
  ["boundAccount", ["malformedAccountId", "differentAccount"]],
  ["account", ["accountNotFound"]],
];

describe("the order of checks is one list [D2.order]", () => {
  const gates = [...STRANGER_GATES, ...KEY_GATES, ...ADMITTED_GATES];

  test("gates run in this order", () => {
    // The second look at the key repeats check 4 for keys revoked on another node.
    const names = gates.map((gate) => gate.name).filter((name) => name !== "stillActiveKey");
    expect(names).toEqual(ANSWERS.map(([name]) => name));
  });

  test("their errors stand in the same order in the contract", () => {
    const errors = ANSWERS.flatMap(([, names]) => names);
    expect(ERROR_NAMES.filter((name) => errors.includes(name))).toEqual(errors);
  });

  test("only checks behind the signature touch what is stored", () => {
    expect(STRANGER_GATES.concat().length + KEY_GATES.length).toBe(6);
    expect(ADMITTED_GATES.every((gate) => gate.place >= 7 || gate.name === "stillActiveKey")).toBe(
      true,
    );
  });
});
