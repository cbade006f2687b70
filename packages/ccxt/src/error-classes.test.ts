import {
  ERROR_NAMES,
  ERRORS,
  type ErrorName,
  type ErrorRow,
  errorText,
  REFUSAL_CODES,
} from "@propgate/contract";
import ccxt from "ccxt";
import { describe, expect, test } from "vitest";
import { ERROR_CLASS_NAMES } from "./ccxt-module.ts";
import {
  type ClassifiedFailure,
  classifyFailure,
  ERROR_CLASSES,
  errorClassOf,
  leavesFateOpen,
  REFUSAL_CLASSES,
} from "./error-classes.ts";

const PARTS = { networkName: "Propgate", message: "'x' must be a number" };

function answeredWith(name: ErrorName, isOrder: boolean): ClassifiedFailure {
  const { status } = ERRORS[name];
  const error = errorText(name, PARTS);
  return classifyFailure({ status, error, isOrder, refusalCode: undefined });
}

describe("the error table and ccxt's classes", () => {
  test.each(ERROR_NAMES)("the error %s has a class of ccxt [S7.table]", (name) => {
    const ErrorClass = ccxt[ERROR_CLASSES[name]];
    expect(new ErrorClass("x")).toBeInstanceOf(ccxt.BaseError);
  });

  test.each(ERROR_NAMES)("the error %s is recognized by its status and text", (name) => {
    const row: ErrorRow = ERRORS[name];
    const isOrder = ["every", "bodies", "orders"].includes(row.reach);
    const refused = answeredWith(name, isOrder);
    const found = errorClassOf(refused);
    const isOfQuotes = name === ("invalidPairs" satisfies ErrorName);
    expect(found).toBe(isOfQuotes ? "BadRequest" : ERROR_CLASSES[name]);
  });

  test("only errors that a retry can fix are NetworkErrors", () => {
    const temporary = ERROR_NAMES.filter(
      (name) => new ccxt[ERROR_CLASSES[name]]("x") instanceof ccxt.NetworkError,
    );
    expect(temporary).toEqual([
      "invalidTimestamp",
      "timestampInvalid",
      "decryptFailed",
      "nonceUsed",
      "rateLimited",
      "tooManyReceipts",
      "tooManyFailedRequests",
      "tooManyStreams",
      "unknownFate",
      "networkDown",
      "notCarriedOut",
      "ownerChanging",
      "upstreamFailed",
      "snapshotUnavailable",
      "internal",
    ]);
  });

  test("only faults without a clear text leave an order's fate unknown [D5.unknownFate]", () => {
    const open = ERROR_NAMES.filter((name) => {
      return leavesFateOpen(answeredWith(name, true));
    });
    expect(open).toEqual(["unknownFate", "upstreamFailed", "snapshotUnavailable", "internal"]);
    expect(leavesFateOpen({ status: 504, name: null })).toBe(true);
  });

  test("every name on the list is a class of ccxt", () => {
    for (const name of ERROR_CLASS_NAMES) expect(ccxt[name], name).toBeTypeOf("function");
  });
});

describe("refusals of the trading network [D10.refusalCodes]", () => {
  test.each(REFUSAL_CODES)(
    "the refusal %s has a class of ccxt that does not depend on its text",
    (refusalCode) => {
      const refused = classifyFailure({
        status: 400,
        error: "reworded",
        isOrder: true,
        refusalCode,
      });
      expect(refused.refusalCode).toBe(refusalCode);
      expect(errorClassOf(refused)).toBe(REFUSAL_CLASSES[refusalCode]);
      expect(new ccxt[REFUSAL_CLASSES[refusalCode]]("x")).toBeInstanceOf(ccxt.BaseError);
    },
  );

  test("an unknown code and no code at all are an InvalidOrder", () => {
    for (const refusalCode of ["solarEclipse", undefined]) {
      const refused = classifyFailure({ status: 400, error: "no", isOrder: true, refusalCode });
      expect(errorClassOf(refused)).toBe("InvalidOrder");
    }
  });
});
