import type { ListField } from "@propgate/contract";
import type { ListFilter, ListPageQuery, ListQuery } from "../../../storage/lists/list-query.ts";
import { parseUuid } from "../../json/json-fields.ts";
import { readBound } from "./list-bounds.ts";
import { readCursor } from "./list-cursor.ts";
import {
  type ParameterReading,
  parameterRefusal,
  quotedText,
  type RawQuery,
} from "./list-parameter.ts";

/** `json` is a page. The other formats are files of the whole list. */
const LIST_FORMATS = ["json", "ndjson", "csv"] as const;
type ListFormat = (typeof LIST_FORMATS)[number];

/** The parsed query of a list. It is for a page, or for a file, for which `limit` and `after` have no meaning. */
export interface ListRequest extends ListPageQuery {
  readonly format: ListFormat;
}

const LIMIT = 50;
const LIMIT_MAX = 500;
const TEXT_MAX = 200;
/** How many ids or words one filter may have. */
const VALUES_MAX = 200;

/**
 * Parses the query of any list by the list's description. A refusal names the parameter as it was sent.
 * @rule D12.lists decides
 */
export function parseListQuery(raw: RawQuery): ParameterReading<ListRequest> {
  const format = readFormat(raw);
  if ("refused" in format) return format;
  const query = readQuery(raw);
  if ("refused" in query) return query;
  if (format.value !== "json") {
    return { value: { ...query.value, format: format.value, after: null, limit: LIMIT } };
  }
  const limit = readLimit(raw);
  if ("refused" in limit) return limit;
  const after = readCursor(raw, query.value);
  if ("refused" in after) return after;
  return { value: { ...query.value, format: "json", after: after.value, limit: limit.value } };
}

function readQuery(raw: RawQuery): ParameterReading<ListQuery> {
  const filters = readFilters(raw);
  if ("refused" in filters) return filters;
  const { q: text = null } = raw.query;
  const problem = text === null ? null : textProblem(text);
  if (problem !== null) return parameterRefusal("q", problem);
  const sort = readSort(raw);
  if ("refused" in sort) return sort;
  const fields = readFields(raw);
  if ("refused" in fields) return fields;
  return { value: { filters: filters.value, text, sort: sort.value, fields: fields.value } };
}

function readFormat({ query }: RawQuery): ParameterReading<ListFormat> {
  const { format = "json" } = query;
  const known = LIST_FORMATS.find((one) => one === format);
  if (known !== undefined) return { value: known };
  return parameterRefusal(
    "format",
    `must be one of ${LIST_FORMATS.join(", ")}, not ${quotedText(format)}`,
  );
}

function readLimit({ query }: RawQuery): ParameterReading<number> {
  const { limit = String(LIMIT) } = query;
  const value = /^[1-9]\d{0,2}$/.test(limit) ? Number(limit) : null;
  if (value !== null && value <= LIMIT_MAX) return { value };
  return parameterRefusal(
    "limit",
    `must be a whole number from 1 to ${LIMIT_MAX}, not ${quotedText(limit)}`,
  );
}

function readSort({ list, query }: RawQuery): ParameterReading<ListQuery["sort"]> {
  const { sort = list.defaultSort } = query;
  const isDescending = sort.startsWith("-");
  const field = isDescending ? sort.slice(1) : sort;
  if (list.fields.some(({ name }) => name === field)) return { value: { field, isDescending } };
  const names = list.fields.map(({ name }) => name).join(", ");
  return parameterRefusal(
    "sort",
    `${quotedText(sort)} is no field of the items, which have ${names}`,
  );
}

function readFields({ list, query }: RawQuery): ParameterReading<readonly string[]> {
  const names = list.fields.map(({ name }) => name);
  const { fields } = query;
  if (fields === undefined) return { value: names };
  const wanted = fields.split(",");
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return parameterRefusal(
      "fields",
      `${quotedText(unknown)} is no field of the items, which have ${names.join(", ")}`,
    );
  }
  const repeated = wanted.find((name, index) => wanted.indexOf(name) !== index);
  if (repeated !== undefined)
    return parameterRefusal("fields", `names ${quotedText(repeated)} twice`);
  return { value: wanted };
}

function readFilters({ list, query }: RawQuery): ParameterReading<readonly ListFilter[]> {
  const filters: ListFilter[] = [];
  for (const field of list.fields) {
    const { name } = field;
    const { [name]: value, [`${name}Min`]: min, [`${name}Max`]: max } = query;
    const isAmount = field.kind === "number" || field.kind === "time";
    const read = [
      ...(value === undefined ? [] : [readFilter(field, value)]),
      ...(isAmount && min !== undefined ? [readBound(field, "min", min)] : []),
      ...(isAmount && max !== undefined ? [readBound(field, "max", max)] : []),
    ];
    for (const one of read) {
      if ("refused" in one) return one;
      filters.push(one.value);
    }
  }
  return { value: filters };
}

function readFilter(field: ListField, text: string): ParameterReading<ListFilter> {
  const { name, kind, isNullable } = field;
  if (isNullable && (text === "null" || text === "set")) {
    return { value: { field: name, isKnown: text === "set" } };
  }
  if (kind === "number" || kind === "time") {
    return parameterRefusal(
      name,
      `takes null or set, not ${quotedText(text)}; use ${name}Min and ${name}Max`,
    );
  }
  if (kind !== "text") return readValues(field, text);
  const problem = textProblem(text);
  return problem === null
    ? { value: { field: name, anyOf: [text] } }
    : parameterRefusal(name, problem);
}

/** Reads a filter by ids or by words, which have commas between them. */
function readValues(
  { name, kind, words, isUuid, isNullable }: ListField,
  text: string,
): ParameterReading<ListFilter> {
  const values = text.split(",");
  if (values.includes("")) return parameterRefusal(name, "must be values with commas between them");
  if (isNullable && values.some((one) => one === "null" || one === "set")) {
    return parameterRefusal(name, "null and set stand alone, never in a list");
  }
  if (values.length > VALUES_MAX)
    return parameterRefusal(name, `must have at most ${VALUES_MAX} values`);
  const wrong = values.map(textProblem).find((one) => one !== null);
  if (wrong !== undefined) return parameterRefusal(name, wrong);
  const unknown = kind === "id" ? undefined : values.find((one) => !words.includes(one));
  if (unknown !== undefined) {
    return parameterRefusal(name, `${quotedText(unknown)} is none of ${words.join(", ")}`);
  }
  return { value: { field: name, anyOf: isUuid ? withoutCase(values) : values } };
}

/**
 * The ids, each with its lower-case form if it is a uuid, because uuids are stored in lower case. The id as it was sent
 * stays too: a text of this form may be an owner's id, whose case counts.
 */
function withoutCase(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => [id, parseUuid(id) ?? id]))];
}

/**
 * The problem of a text that is compared or searched; null when there is none. No stored text is longer than the
 * maximum, and the database refuses NUL.
 */
function textProblem(text: string): string | null {
  if (text.length > TEXT_MAX) return `must have at most ${TEXT_MAX} characters`;
  return text.includes("\0") ? "must not contain control characters" : null;
}
