import type { ListField } from "@propgate/contract";
import type { ListFilter } from "@propgate/ledger";
import { invalid, quoted, type Read } from "./list-parameter.ts";

/** 2000-01-01 and 2100-01-01, UTC. */
const TIME_MIN = 946_684_800_000;
const TIME_MAX = 4_102_444_800_000;
/** More digits than a double has. */
const NUMBER = /^-?\d{1,20}(\.\d{1,20})?$/;

/** Units that clients send by mistake, with how many of each are a millisecond. */
const UNITS = [
  ["seconds", 0.001],
  ["microseconds", 1_000],
  ["nanoseconds", 1_000_000],
] as const;

/** Reads `sizeMin` or `endedAtMsMax`, which includes its value. */
export function readBound(
  { name, kind }: ListField,
  side: "min" | "max",
  text: string,
): Read<ListFilter> {
  const parameter = `${name}${side === "min" ? "Min" : "Max"}`;
  if (text === "null" || text === "set") {
    return invalid(
      parameter,
      `must be a ${kind === "time" ? "time in Unix milliseconds" : "number"}; use ${name}=${text}`,
    );
  }
  const problem = kind === "time" ? timeProblem(text) : numberProblem(text);
  if (problem !== null) return invalid(parameter, problem);
  const value = Number(text);
  return { value: side === "min" ? { field: name, min: value } : { field: name, max: value } };
}

function numberProblem(text: string): string | null {
  if (NUMBER.test(text)) return null;
  return text.includes(",")
    ? `must be a number with a point, such as 1250.5, not ${quoted(text)}`
    : `must be a number such as 1250.5, not ${quoted(text)}`;
}

function timeProblem(text: string): string | null {
  if (!/^-?\d{1,25}$/.test(text)) {
    return `must be a time in whole Unix milliseconds, such as 1767225600000, not ${quoted(text)}`;
  }
  const value = Number(text);
  if (isInRange(value)) return null;
  const unit = UNITS.find(([, perMs]) => isInRange(value / perMs))?.[0];
  return unit === undefined
    ? `must be a time in Unix milliseconds between 2000 and 2100, not ${quoted(text)}`
    : `must be a time in Unix milliseconds between 2000 and 2100; ${quoted(text)} looks like ${unit}`;
}

function isInRange(atMs: number): boolean {
  return atMs >= TIME_MIN && atMs <= TIME_MAX;
}
