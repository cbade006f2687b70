import { createHash } from "node:crypto";
import type { ListField } from "@propgate/contract";
import type { ListPlace, ListQuery, PlaceValue } from "../../../storage/lists/list-query.ts";
import { placeFields } from "../../../storage/lists/list-statement.ts";
import { wrongFieldReply } from "../../json/json-reply.ts";

import type { ParameterReading, RawQuery } from "./list-parameter.ts";

/*
 * A cursor is base64url of the JSON `[fingerprint, ...place]`. The place has the values by which the page's last item
 * is sorted. The fingerprint is a hash of the list, its filters, its search text and its sort order, because the place
 * has no meaning in another list or order. The fingerprint is no secret: a client that writes its own cursor gets the
 * page that begins there.
 */

const FINGERPRINT_LENGTH = 16;
const CURSOR_MAX = 4_000;

/** The `next` of a page whose last item is at `place`. */
export function cursorText(
  raw: Pick<RawQuery, "scope">,
  query: ListQuery,
  place: ListPlace,
): string {
  return Buffer.from(JSON.stringify([fingerprint(raw, query), ...place])).toString("base64url");
}

/**
 * Reads the cursor and returns the place after which the page begins; null for the first page. Refuses the cursor of
 * another list, filter, search or sort order, and a text that is no cursor. @rule D12.listPlace decides
 */
export function readCursor(raw: RawQuery, query: ListQuery): ParameterReading<ListPlace | null> {
  const { after } = raw.query;
  if (after === undefined) return { value: null };
  const [print, ...place] = parse(after);
  const isPlace =
    place.length === placeFields(raw.list, query.sort).length && place.every(isPlaceValue);
  if (typeof print !== "string" || !isPlace) return NO_CURSOR;
  if (print !== fingerprint(raw, query)) return MISMATCH;
  return placeFits(raw, query, place) ? { value: place } : NO_CURSOR;
}

const NO_CURSOR: ParameterReading<never> = {
  refused: {
    ...wrongFieldReply("after", "must be the `next` of an earlier page"),
    code: "cursor_invalid",
  },
};

const MISMATCH: ParameterReading<never> = {
  refused: {
    ...wrongFieldReply(
      "after",
      "belongs to a page with other filters or another sort; repeat the query of that page, or leave `after` out",
    ),
    code: "cursor_mismatch",
  },
};

/** `fields`, `limit` and `format` are not part of the fingerprint: they may differ from page to page. */
function fingerprint(
  { scope }: Pick<RawQuery, "scope">,
  { filters, text, sort }: ListQuery,
): string {
  return createHash("sha256")
    .update(JSON.stringify([scope, filters, text, sort.field, sort.isDescending]))
    .digest("base64url")
    .slice(0, FINGERPRINT_LENGTH);
}

function parse(text: string): readonly unknown[] {
  if (text.length > CURSOR_MAX || !/^[\w-]+$/.test(text)) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isPlaceValue(value: unknown): value is PlaceValue {
  if (typeof value === "string") return !value.includes("\0");
  return value === null || typeof value === "boolean" || Number.isFinite(value);
}

/** Whether each value of the place is one that its field can have. The database would fail on any other value. */
function placeFits({ list }: RawQuery, { sort }: ListQuery, place: ListPlace): boolean {
  return placeFields(list, sort).every((name, index) => {
    const field = list.fields.find((one) => one.name === name);
    const { [index]: value = null } = place;
    return value === null ? field?.isNullable === true && index === 0 : fits(field, value);
  });
}

/**
 * Whether the field can have this value in a place. A field whose value is a list has a string there, and so has a
 * column that is not a field of the items and only breaks ties.
 */
function fits(field: ListField | undefined, value: PlaceValue): boolean {
  if (field === undefined || field.isList) return typeof value === "string";
  switch (field.kind) {
    case "time":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "id":
    case "word":
    case "text":
      return typeof value === "string";
  }
}
