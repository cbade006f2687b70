import { type EventCursor, parseEventCursor } from "../resources/events/event-cursor.ts";
import { timeProblem } from "./time-unit.ts";

/** The one value of a parameter. Undefined when the parameter is absent; null when it is repeated. */
export type SingleValue = string | null | undefined;

/** The value of a parameter that may be given once. */
export function singleValue(values: readonly string[] | undefined): SingleValue {
  if (values === undefined) return undefined;
  const [value, ...more] = values;
  return value === undefined || more.length > 0 ? null : value;
}

/**
 * A whole number within the range; `otherwise` when the parameter is absent. Null when the text is not such a number.
 */
export function parseWholeNumber(
  text: SingleValue,
  range: { readonly min: number; readonly max: number; readonly otherwise: number | null },
): number | null {
  if (text === undefined) return range.otherwise;
  if (text === null || !/^[0-9]+$/.test(text)) return null;
  const value = Number(text);
  return value >= range.min && value <= range.max ? value : null;
}

/** A time of a query, or its problem as a text that follows the parameter's name. */
export type TimeValue = { readonly ms: number } | { readonly problem: string };

/** 20 digits are more than any valid time has. A longer text is rejected, and the answer does not repeat it. */
const TIME = /^[0-9]{1,20}$/;

/** Reads a time in Unix milliseconds between 2000 and 2100, or 0, which is earlier than every event. */
export function parseTimeValue(text: string | null): TimeValue {
  if (text === "0") return { ms: 0 };
  if (text === null || !TIME.test(text)) return { problem: "must be a time in Unix milliseconds" };
  const problem = timeProblem(Number(text), text);
  return problem === null ? { ms: Number(text) } : { problem };
}

/** A cursor; `otherwise` when the parameter is absent. Null when the text is not a cursor. */
export function parseCursorValue<Otherwise>(
  text: SingleValue,
  otherwise: Otherwise,
): EventCursor | Otherwise | null {
  if (text === undefined) return otherwise;
  return text === null ? null : parseEventCursor(text);
}

/** The error text of a parameter `after` that is not a cursor. */
export const AFTER_TEXT =
  "'after' must be a cursor: the `next` of a page, the `cursor` of an event, or a sequence";
