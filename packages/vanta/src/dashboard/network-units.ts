import { type MicroUsd, type Percent, percent, type Ratio, ratio, roundUsd } from "@propgate/core";
import { roundedPercent } from "@propgate/wire";
import { isRecord, type Literal, type LiteralRecord } from "../python-literal.ts";

/** The units of figures on the network, and the types that these figures have here. */
export interface NetworkUnits {
  /** A text of at most `TEXT_LENGTH_MAX` characters. An empty one means that there is none. */
  readonly text: string;
  readonly dollars: MicroUsd;
  /** An amount above zero; 0 means that there is none. */
  readonly size: MicroUsd;
  /** A share of one, or a ratio of the account size: 1.032 is 3.2 % above it. */
  readonly ratio: Ratio;
  /** A plain percent: 1.24 is 1.24 %. */
  readonly percent: Percent;
  /** A fraction that becomes a percent: 0.05 becomes 5. */
  readonly fraction: Percent;
  /** A price above zero; 0 means that there is none. */
  readonly price: number;
  /** Lots, a leverage or another plain number. */
  readonly number: number;
  /** A whole number from 0. */
  readonly count: number;
  /** A whole number of any sign. */
  readonly whole: number;
  readonly flag: boolean;
  /** A moment in milliseconds since the Unix epoch; 0 means that there is none. */
  readonly milliseconds: number;
}
export type NetworkUnit = keyof NetworkUnits;

/** The first problem of an answer: the key and the expected value; null while there is none. */
export interface DecodeProblem {
  why: string | null;
}

const PATH_LENGTH_MAX = 200;

/** Notes the problem, unless an earlier one is noted. Returns null, for the value that cannot be read. */
export function noteProblem(problem: DecodeProblem, path: string, expected: string): null {
  problem.why ??= `${path.slice(0, PATH_LENGTH_MAX)} is not ${expected}`;
  return null;
}

/** A larger amount counts as a wrong form. So every amount, and the sum of several, is exact in micro dollars. */
const DOLLARS_MAX = 1e9;
const NUMBER_MAX = 1e15;
const TIME_MIN = Date.UTC(2015, 0, 1);
const TIME_MAX = Date.UTC(2100, 0, 1);
const TEXT_LENGTH_MAX = 500;

type Reader<Value> = (value: Literal) => Value | null | undefined;

/** Reads a value of each unit. Returns undefined for a wrong form, and null where the network means "none". */
const READERS: { readonly [Unit in NetworkUnit]: Reader<NetworkUnits[Unit]> } = {
  text: (value) =>
    typeof value === "string" && value.length <= TEXT_LENGTH_MAX
      ? value === ""
        ? null
        : value
      : undefined,
  dollars: (value) => {
    if (typeof value !== "number" || !(Math.abs(value) <= DOLLARS_MAX)) return undefined;
    return roundUsd(value);
  },
  size: (value) => {
    if (typeof value !== "number" || !(value >= 0 && value <= DOLLARS_MAX)) return undefined;
    const size = roundUsd(value);
    return size === 0 ? null : size;
  },
  ratio: (value) => (isNumber(value) ? ratio(value) : undefined),
  percent: (value) => (isNumber(value) ? percent(value) : undefined),
  fraction: (value) => (isNumber(value) ? percent(roundedPercent(value)) : undefined),
  price: (value) => {
    if (!isNumber(value) || value < 0) return undefined;
    return value === 0 ? null : value;
  },
  number: (value) => (isNumber(value) ? value + 0 : undefined),
  count: (value) => (isNumber(value) && Number.isInteger(value) && value >= 0 ? value : undefined),
  whole: (value) => (isNumber(value) && Number.isInteger(value) ? value + 0 : undefined),
  flag: (value) => (typeof value === "boolean" ? value : undefined),
  milliseconds: (value) => {
    if (value === 0) return null;
    if (!isNumber(value) || value < TIME_MIN || value > TIME_MAX) return undefined;
    return Math.floor(value);
  },
};

const EXPECTED: Readonly<Record<NetworkUnit, string>> = {
  text: "a text",
  dollars: "an amount in dollars",
  size: "an amount in dollars above zero",
  ratio: "a ratio",
  percent: "a percent",
  fraction: "a fraction",
  price: "a price",
  number: "a number",
  count: "a whole number from 0",
  whole: "a whole number",
  flag: "true or false",
  milliseconds: "a time in milliseconds",
};

/** Reads a figure. Null when it was not sent, is null, means "none", or has a wrong form, which is reported. */
export function readUnit<Unit extends NetworkUnit>(
  unit: Unit,
  value: Literal | undefined,
  path: string,
  problem: DecodeProblem,
): NetworkUnits[Unit] | null {
  if (value === undefined || value === null) return null;
  const read = READERS[unit](value);
  return read === undefined ? noteProblem(problem, path, EXPECTED[unit]) : read;
}

/** Reads an object with keys. Null when it was not sent or is null; a value of another form is reported. */
export function readRecord(
  value: Literal | undefined,
  path: string,
  problem: DecodeProblem,
): LiteralRecord | null {
  if (value === undefined || value === null) return null;
  return isRecord(value) ? value : noteProblem(problem, path, "an object");
}

/** Reads a list. Null when it was not sent or is null; a value of another form is reported. */
export function readList(
  value: Literal | undefined,
  path: string,
  problem: DecodeProblem,
): readonly Literal[] | null {
  if (value === undefined || value === null) return null;
  return Array.isArray(value) ? value : noteProblem(problem, path, "a list");
}

function isNumber(value: Literal): value is number {
  return typeof value === "number" && Math.abs(value) <= NUMBER_MAX;
}
