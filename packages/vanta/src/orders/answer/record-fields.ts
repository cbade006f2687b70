import { type MicroUsd, roundUsd } from "@propgate/core";
import { isRecord, type Literal, type LiteralRecord } from "../../python-literal.ts";

/** An amount above this cannot be exact in 0.000001 USD. */
const DOLLARS_MAX = 9_000_000_000;

/** Reads the members of a record by name. A member that is missing or has another form is null. */
export interface RecordFields {
  text(name: string): string | null;
  number(name: string): number | null;
  /** A number above 0. */
  positive(name: string): number | null;
  /** An amount in dollars. */
  money(name: string): MicroUsd | null;
  /** A time above 0, rounded to whole milliseconds. */
  time(name: string): number | null;
  record(name: string): LiteralRecord | null;
  list(name: string): readonly Literal[] | null;
}

/** The readers of one record's members. */
export function recordFields(record: LiteralRecord): RecordFields {
  const number = (name: string): number | null => {
    const value = record[name];
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  };
  return {
    text(name) {
      const value = record[name];
      return typeof value === "string" ? value : null;
    },
    number,
    positive(name) {
      const value = number(name);
      return value !== null && value > 0 ? value : null;
    },
    money(name) {
      const value = number(name);
      return value === null || Math.abs(value) > DOLLARS_MAX ? null : roundUsd(value);
    },
    time(name) {
      const value = number(name);
      if (value === null || value <= 0) return null;
      const whole = Math.round(value);
      return Number.isSafeInteger(whole) ? whole : null;
    },
    record(name) {
      const value = record[name];
      return isRecord(value) ? value : null;
    },
    list(name) {
      const value = record[name];
      return isList(value) ? value : null;
    },
  };
}

function isList(value: Literal | undefined): value is readonly Literal[] {
  return Array.isArray(value);
}
