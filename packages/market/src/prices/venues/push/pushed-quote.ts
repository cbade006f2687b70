import { isRecord, isTimeMs, type MistakenUnit, mistakenUnit } from "@propgate/contract";
import {
  createPairFinder,
  type Instruments,
  type PairId,
  type Price,
  price,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { isPrice } from "../is-price.ts";
import type { PushProblem } from "./push-problem.ts";

/** A quote that the firm has pushed, with all its fields valid. */
export interface PushedQuote {
  readonly pair: PairId;
  readonly bid: Price;
  readonly ask: Price;
  readonly madeAtMs: UnixMs | null;
  readonly sequence: number | null;
}

/** The pairs whose quotes may be pushed. */
export interface PushablePairs {
  readonly ids: readonly PairId[];
  /** The pair that a name means; null when its prices cannot be pushed. */
  readonly named: (name: string) => PairId | null;
}

/** The pairs of these instruments, by all the names that orders may use. @rule D1.pairs */
export function pushablePairs(instruments: Instruments): PushablePairs {
  const pairOf = createPairFinder(instruments);
  return {
    ids: [...instruments.keys()],
    named: (name) => instruments.get(pairOf(name))?.id ?? null,
  };
}

const FIELDS: ReadonlySet<string> = new Set(["tradePair", "bid", "ask", "madeAtMs", "sequence"]);
const NAMED_LENGTH_MAX = 40;

/** Parses one quote. A value of a wrong type or range is a problem and is never corrected. */
export function parsePushedQuote(text: string, pairs: PushablePairs): PushedQuote | PushProblem {
  const value = parsedJson(text);
  if (!isRecord(value)) return NOT_AN_OBJECT;
  const { tradePair, bid, ask, madeAtMs = null, sequence = null } = value;
  if (typeof tradePair !== "string") return missingOrWrong("tradePair", tradePair, "a string");
  const pair = pairs.named(tradePair);
  if (pair === null) return UNKNOWN_PAIR;
  if (!isPrice(bid)) return missingOrWrong("bid", bid, A_PRICE);
  if (!isPrice(ask)) return missingOrWrong("ask", ask, A_PRICE);
  if (bid > ask) return CROSSED;
  if (madeAtMs !== null && !isMoment(madeAtMs)) return wrongMadeAt(madeAtMs);
  if (sequence !== null && !isWhole(sequence, 0, Number.MAX_SAFE_INTEGER)) return WRONG_SEQUENCE;
  return (
    surplusField(value, text) ?? {
      pair,
      bid: price(bid),
      ask: price(ask),
      madeAtMs: madeAtMs === null ? null : unixMs(madeAtMs),
      sequence,
    }
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isMoment(value: unknown): value is number {
  return Number.isSafeInteger(value) && isTimeMs(Number(value));
}

/**
 * The problem of a time that is not valid. It names the mistaken unit, even for nanoseconds, which exceed the safe
 * integers.
 */
function wrongMadeAt(value: unknown): PushProblem {
  const unit = typeof value === "number" ? mistakenUnit(value) : null;
  return unit === null ? WRONG_MADE_AT : { ...WRONG_MADE_AT, message: LOOKS_LIKE[unit] };
}

/**
 * The problem of a field that this version does not know, or that is given twice; null when there is none. `JSON.parse`
 * itself silently keeps only the last of two values.
 */
function surplusField(value: Readonly<Record<string, unknown>>, text: string): PushProblem | null {
  const names = Object.keys(value);
  const unknown = names.find((name) => !FIELDS.has(name));
  if (unknown !== undefined) {
    const field = unknown.slice(0, NAMED_LENGTH_MAX);
    return { reason: "unknownField", field, message: `${JSON.stringify(field)} is not a field` };
  }
  // No valid value and no known name contains a colon, so a text that gives no field twice has as many colons as
  // fields.
  let colons = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) colons += 1;
  if (colons === names.length) return null;
  const field = names.find((name) => text.split(`"${name}"`).length > 2) ?? null;
  return { reason: "duplicateField", field, message: "a field is given twice" };
}

function missingOrWrong(field: string, value: unknown, form: string): PushProblem {
  return value === undefined || value === null
    ? { reason: "missingField", field, message: `${field} is missing` }
    : { reason: "wrongValue", field, message: `${field} must be ${form}` };
}

const A_PRICE = "a number above 0";

const NOT_AN_OBJECT: PushProblem = {
  reason: "notJson",
  field: null,
  message: "a quote must be one JSON object",
};
const UNKNOWN_PAIR: PushProblem = {
  reason: "unknownPair",
  field: "tradePair",
  message: "tradePair is not an instrument whose prices are pushed",
};
const CROSSED: PushProblem = {
  reason: "crossed",
  field: "bid",
  message: "bid must not be above ask",
};
const WRONG_MADE_AT: PushProblem = {
  reason: "wrongValue",
  field: "madeAtMs",
  message: "madeAtMs must be whole Unix milliseconds between 2000 and 2100",
};
const LOOKS_LIKE: Readonly<Record<MistakenUnit, string>> = {
  seconds: "madeAtMs must be whole Unix milliseconds; it looks like seconds",
  microseconds: "madeAtMs must be whole Unix milliseconds; it looks like microseconds",
  nanoseconds: "madeAtMs must be whole Unix milliseconds; it looks like nanoseconds",
};
const WRONG_SEQUENCE: PushProblem = {
  reason: "wrongValue",
  field: "sequence",
  message: "sequence must be a whole number, 0 or more",
};
