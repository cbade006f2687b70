import { LIMITS } from "../limits.ts";
import { boolean, number, type Optional, omittable, type Schema, string, word } from "../schema.ts";
import { ORDER_TYPES, type OrderTypeWord, POSITION_TYPES, type PositionType } from "../words.ts";
import type { FieldReader } from "./field-reader.ts";
import { canonicalId } from "./order-id.ts";
import { normalizePairName, PAIR_NAME } from "./pair-name.ts";

/*
 * The kinds of values of order fields. This file alone has their bounds; the published schema and the error texts both
 * come from it.
 */

/** A kind of value: its published schema and its reader. */
export interface OrderValue<Sent, Read = Sent> {
  readonly schema: Schema<Sent>;
  /** Reads a field. Null when the field is absent, and when it is wrong, which is reported. */
  readonly read: (fields: FieldReader, name: string) => Read | null;
}

/** A price, size or distance: above 0, up to the largest number that an order may have. */
export function amount(description: string): OrderValue<number> {
  const maximum = LIMITS.orderAmountMax;
  return {
    schema: number(description, { exclusiveMinimum: 0, maximum }),
    read: (fields, name) => {
      const given = readNumber(fields, name);
      if (given === null) return null;
      if (given <= 0) return fields.reportForm(name, "greater than 0");
      return given <= maximum ? given : fields.reportForm(name, `at most ${maximum}`);
    },
  };
}

/** A share above 0. With `maximum` it is at most 1, with `exclusiveMaximum` below 1. */
export function share(
  description: string,
  bound: "exclusiveMaximum" | "maximum",
): OrderValue<number> {
  const isOneAllowed = bound === "maximum";
  const must = `greater than 0 and ${isOneAllowed ? "at most" : "less than"} 1`;
  return {
    schema: number(description, { exclusiveMinimum: 0, [bound]: 1 }),
    read: (fields, name) => {
      const given = readNumber(fields, name);
      if (given === null) return null;
      const isWithin = given > 0 && (given < 1 || (isOneAllowed && given === 1));
      return isWithin ? given : fields.reportForm(name, must);
    },
  };
}

/** A kind of value: true or false. */
export function flag(description: string): OrderValue<boolean> {
  return {
    schema: boolean(description),
    read: (fields, name) => {
      const given = fields.take(name);
      return given === null || typeof given === "boolean"
        ? given
        : fields.reportForm(name, "true or false");
    },
  };
}

/** A kind of value: one of a closed set of words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
): OrderValue<Word> {
  const must = `one of ${words.join(", ")}`;
  return {
    schema: word(words, description),
    read: (fields, name) => {
      const given = fields.take(name);
      if (given === null) return null;
      return words.find((one) => one === given) ?? fields.reportForm(name, must);
    },
  };
}

/** A kind of value: a direction, or `FLAT`. */
export function directionOrFlat(description: string): OrderValue<OrderTypeWord> {
  return oneOf(ORDER_TYPES, description);
}

/**
 * A kind of value: a direction. `FLAT` has an error text of its own, because only MARKET and FLAT_ALL accept it. The
 * text for another word lists `words`: the words of `order_type` that the execution type accepts.
 */
export function direction(
  description: string,
  words: readonly OrderTypeWord[] = POSITION_TYPES,
): OrderValue<PositionType> {
  return {
    schema: word(POSITION_TYPES, description),
    read: (fields, name) => {
      const given = fields.take(name);
      if (given === null) return null;
      const found = POSITION_TYPES.find((one) => one === given);
      if (found !== undefined) return found;
      const must =
        given === "FLAT"
          ? "LONG or SHORT unless execution_type is MARKET or FLAT_ALL"
          : `one of ${words.join(", ")}`;
      return fields.reportForm(name, must);
    },
  };
}

/** The optional account of a request. Gate 10 has checked that it is the key's account. @rule D2.10 */
export const ACCOUNT_ID: Optional<string> = omittable(
  string("Not needed. If given: the account of the API key.", {
    format: "uuid",
    pattern: "^[0-9A-Fa-f-]{36}$",
  }),
);

/** A pair in any spelling, read in its canonical form. */
export function pairName(description: string): OrderValue<string> {
  return {
    schema: string(description, {
      maxLength: LIMITS.pairNameCharactersMax,
      pattern: PAIR_NAME.source,
    }),
    read: (fields, name) => {
      const text = readText(fields, name);
      if (text === null) return null;
      return normalizePairName(text) ?? fields.reportForm(name, "a pair identifier such as BTCUSD");
    },
  };
}

/** The orders or positions that a request names: `ALL`, or ids. */
export type Target = "ALL" | readonly string[];

const ID_PATTERN = "\\s*[A-Za-z0-9_-]{1,100}\\s*";
const ID = /^[A-Za-z0-9_-]{1,100}$/;
/** `all` in another case is rejected as an id: a network that reads it as `ALL` would act on everything. */
const ALL_IN_ANY_CASE = /^all$/i;

/** `ALL`, or ids with commas between them. Each id is returned once, in the order sent. @rule D12.idCase */
export const IDS: OrderValue<string, Target> = {
  schema: string("LIMIT_CANCEL, FLAT_ALL: one id, comma-separated ids, or `ALL`.", {
    pattern: `^${ID_PATTERN}(,${ID_PATTERN})*$`,
  }),
  read: (fields, name) => {
    const text = readText(fields, name);
    if (text === null || text === "ALL") return text;
    const ids = [...new Set(text.split(",").map((id) => canonicalId(id.trim())))];
    if (ids.every((id) => !ALL_IN_ANY_CASE.test(id) && ID.test(id))) return ids;
    return fields.reportForm(name, "an id, ids with commas between them, or ALL");
  },
};

/** A kind of value: exactly one id. */
export const ONE_ID: OrderValue<string> = {
  schema: string("LIMIT_EDIT: the id of the order.", { pattern: `^${ID_PATTERN}$` }),
  read: (fields, name) => {
    const ids = IDS.read(fields, name);
    if (ids === null) return null;
    const [id, ...more] = ids === "ALL" ? [] : ids;
    return id !== undefined && more.length === 0 ? id : fields.reportForm(name, "one order id");
  },
};

function readNumber(fields: FieldReader, name: string): number | null {
  const given = fields.take(name);
  if (given === null) return null;
  return typeof given === "number" && Number.isFinite(given)
    ? given
    : fields.reportForm(name, "a number");
}

function readText(fields: FieldReader, name: string): string | null {
  const given = fields.take(name);
  if (given === null) return null;
  return typeof given === "string" && given !== ""
    ? given
    : fields.reportForm(name, "a non-empty string");
}
