import { ERROR_NAMES, ERRORS, type ErrorName, type ErrorRow, errorText } from "@propgate/contract";
import { accountId, orderUuid, pairId, payoutId, type Refusal, unixMs } from "@propgate/core";
import ccxt from "ccxt";
import { describe, expect, test } from "vitest";
import { refusalText } from "../../server/src/http/refusal-text.ts";
import { ERROR_CLASS_NAMES, type ErrorClassName } from "./ccxt-module.ts";
import { ERROR_CLASSES, errorClassOf, leavesFateOpen, refusedWith } from "./error-classes.ts";

const PARTS = { networkName: "Propgate", message: "'x' must be a number" };

describe("the error table and ccxt's classes", () => {
  test.each(ERROR_NAMES)("%s has a class that ccxt has [S7.table]", (name) => {
    const ErrorClass = ccxt[ERROR_CLASSES[name]];
    expect(new ErrorClass("x")).toBeInstanceOf(ccxt.BaseError);
  });

  test.each(ERROR_NAMES)("%s is known again by its status and text", (name) => {
    const row: ErrorRow = ERRORS[name];
    const isOrder = ["every", "bodies", "orders"].includes(row.reach);
    const refused = refusedWith(row.status, errorText(name, PARTS), isOrder);
    const found = errorClassOf(refused);
    const isOfQuotes = name === ("invalidPairs" satisfies ErrorName);
    expect(found).toBe(isOfQuotes ? "BadRequest" : ERROR_CLASSES[name]);
  });

  test("what is tried again with success is a NetworkError, what is not is none", () => {
    const temporary = ERROR_NAMES.filter(
      (name) => new ccxt[ERROR_CLASSES[name]]("x") instanceof ccxt.NetworkError,
    );
    expect(temporary).toEqual([
      "invalidTimestamp",
      "timestampInvalid",
      "decryptFailed",
      "nonceUsed",
      "rateLimited",
      "tooManyFailedRequests",
      "unknownFate",
      "networkDown",
      "notCarriedOut",
      "upstreamFailed",
      "snapshotUnavailable",
      "internal",
    ]);
  });

  test("only faults that do not say so leave open what became of an order [D5.unknownFate]", () => {
    const open = ERROR_NAMES.filter((name) => {
      const row: ErrorRow = ERRORS[name];
      return leavesFateOpen(refusedWith(row.status, errorText(name, PARTS), true));
    });
    expect(open).toEqual(["unknownFate", "upstreamFailed", "snapshotUnavailable", "internal"]);
    expect(leavesFateOpen({ status: 504, error: "gateway timeout", name: null })).toBe(true);
  });

  test("every name on the list is a class of ccxt's", () => {
    for (const name of ERROR_CLASS_NAMES) expect(ccxt[name], name).toBeTypeOf("function");
  });
});

const pair = pairId("BTCUSD");
type Samples = {
  readonly [Code in Refusal["code"]]: readonly [Extract<Refusal, { code: Code }>, ErrorClassName];
};

/** One of each refusal: the compiler asks for a line when there is another. */
const REFUSALS: Samples = {
  accountNotReady: [{ code: "accountNotReady" }, "AccountNotEnabled"],
  accountEliminated: [{ code: "accountEliminated" }, "AccountSuspended"],
  accountClosed: [{ code: "accountClosed" }, "AccountSuspended"],
  unknownPair: [{ code: "unknownPair", pair: "X" }, "BadSymbol"],
  blockedPair: [{ code: "blockedPair", pair }, "BadSymbol"],
  pairOutsideClass: [{ code: "pairOutsideClass", pair, accountClass: "forex" }, "BadSymbol"],
  marketClosed: [{ code: "marketClosed", pair }, "MarketClosed"],
  noFreshQuote: [{ code: "noFreshQuote", pair }, "OperationRejected"],
  noConversionRate: [{ code: "noConversionRate", currency: "JPY" }, "OperationRejected"],
  cooldown: [{ code: "cooldown", pair, waitMs: 10 }, "RateLimitExceeded"],
  tooManyRestingOrders: [{ code: "tooManyRestingOrders", most: 100 }, "OperationRejected"],
  proTransition: [{ code: "proTransition", pair }, "OperationRejected"],
  noRoom: [{ code: "noRoom", pair, cap: "buying power" }, "InsufficientFunds"],
  sizeBelowGrid: [{ code: "sizeBelowGrid", pair, step: "0.01" }, "InvalidOrder"],
  positionTooSmall: [{ code: "positionTooSmall", pair, least: "$10" }, "InvalidOrder"],
  wrongSide: [
    {
      ...{ code: "wrongSide", leg: null, field: "stopLoss", price: 2, entryPrice: 1 },
      mustBe: "below",
    },
    "InvalidOrder",
  ],
  noPosition: [{ code: "noPosition", pair }, "InvalidOrder"],
  unknownOrder: [{ code: "unknownOrder", orderUuid: orderUuid("o") }, "OrderNotFound"],
  unknownPosition: [{ code: "unknownPosition", positionUuid: "p" }, "OrderNotFound"],
  pairMismatch: [{ code: "pairMismatch", orderUuid: orderUuid("o"), pair }, "InvalidOrder"],
  kindMismatch: [
    { code: "kindMismatch", orderUuid: orderUuid("o"), isKind: "limit" },
    "InvalidOrder",
  ],
  accountExists: [{ code: "accountExists" }, "InvalidOrder"],
  alreadyProvisioned: [{ code: "alreadyProvisioned" }, "InvalidOrder"],
  onProTrack: [{ code: "onProTrack", phase: "funded" }, "InvalidOrder"],
  noNextPhase: [{ code: "noNextPhase", phase: "funded" }, "InvalidOrder"],
  payoutSettled: [
    { code: "payoutSettled", payoutId: payoutId(accountId("a"), unixMs(1)) },
    "InvalidOrder",
  ],
};

describe("refusals of the trading network [D5.refusal]", () => {
  test.each(Object.values(REFUSALS))("%j is %s", (refusal, name) => {
    const refused = refusedWith(400, refusalText(refusal, "topLevel"), true);
    expect(errorClassOf(refused)).toBe(name);
  });
});
