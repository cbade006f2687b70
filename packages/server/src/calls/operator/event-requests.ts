import {
  type EventType,
  isEventType,
  LIMITS,
  LIST_FILE_TYPES,
  type ListFileFormat,
} from "@propgate/contract";
import type { FirehoseFilter, FirehoseRequest } from "@propgate/push";
import { coreEventTypesOf } from "@propgate/wire";
import { z } from "zod";
import {
  fieldProblem,
  type Parsed,
  parseAccountId,
  parseBody,
  shortTextSchema,
} from "../json/json-fields.ts";

/** A request for events of all accounts: for a page, or for a file, which has no limit and does not wait. */
export interface EventsRequest extends FirehoseRequest {
  /** The format of the file; null for a page. */
  readonly file: ListFileFormat | null;
}

type Query = Readonly<Record<string, string>>;

const LIMIT = 50;
const PROGRAM = z.object({ programId: shortTextSchema(100).optional() });
const FORMATS = ["json", ...Object.keys(LIST_FILE_TYPES)];

/**
 * Parses the query of `GET /events`. Whether `after` is a valid cursor is checked later, against the journals.
 * @rule D9.firehose
 */
export function parseEventsRequest(query: Query): Parsed<EventsRequest> {
  const { format } = query;
  const { eventsLimitMin: min, eventsLimitMax: max, eventsWaitSecondsMax: waitMax } = LIMITS;
  const limit = wholeNumberIn(query.limit, { min, max, otherwise: LIMIT });
  if (limit === null) return fieldProblem("limit", `must be a whole number from ${min} to ${max}`);
  const seconds = wholeNumberIn(query.wait, { min: 0, max: waitMax, otherwise: 0 });
  if (seconds === null) return fieldProblem("wait", `must be whole seconds from 0 to ${waitMax}`);
  if (format !== undefined && !FORMATS.includes(format)) {
    return fieldProblem("format", `must be one of ${FORMATS.join(", ")}`);
  }
  const filter = parseFilter(query);
  if (!filter.ok) return filter;
  const file = isFileFormat(format) ? format : null;
  return {
    ok: true,
    value: { after: query.after ?? null, limit, waitMs: seconds * 1_000, file, ...filter.value },
  };
}

function parseFilter(query: Query): Parsed<FirehoseFilter> {
  const { types, accountId } = query;
  const account = parseAccountId(accountId);
  if (accountId !== undefined && account === null)
    return fieldProblem("accountId", "must be a uuid");
  const program = parseBody(PROGRAM, query, (given) => given.programId ?? null);
  if (!program.ok) return program;
  const words = parseTypes(types);
  if (!words.ok) return words;
  const core = words.value === null ? null : coreEventTypesOf(words.value);
  return { ok: true, value: { types: core, accountId: account, programId: program.value } };
}

function parseTypes(text: string | undefined): Parsed<ReadonlySet<EventType> | null> {
  if (text === undefined) return { ok: true, value: null };
  const words = text.split(",");
  if (words.includes("")) {
    return fieldProblem("types", "must be types of events with commas between them");
  }
  const unknown = words.find((word) => !isEventType(word));
  if (unknown !== undefined) {
    return fieldProblem("types", `${JSON.stringify(unknown)} is not a type of event`);
  }
  return { ok: true, value: new Set(words.filter(isEventType)) };
}

/**
 * The number of a parameter, or `otherwise` when the parameter is absent. Null when it is not a whole number in the
 * range.
 */
function wholeNumberIn(
  text: string | undefined,
  range: { readonly min: number; readonly max: number; readonly otherwise: number },
): number | null {
  if (text === undefined) return range.otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : null;
  return value !== null && value >= range.min && value <= range.max ? value : null;
}

function isFileFormat(format: string | undefined): format is ListFileFormat {
  return format !== undefined && Object.hasOwn(LIST_FILE_TYPES, format);
}
