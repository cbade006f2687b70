import type { ListDescription, ListField } from "@propgate/contract";
import type { ListSource, PlaceValue } from "./list-query.ts";

/** A column of a list's source in SQL. */
export interface ListColumn {
  /** The name in double quotes. */
  readonly name: string;
  /** The type in which its values are compared. */
  readonly type: "text" | "uuid" | "boolean" | "bigint" | "double precision" | "text[]";
  readonly isNullable: boolean;
  /** An expression that sorts as the list does: texts by code point. */
  readonly sortable: string;
  /** The type of `sortable`. */
  readonly sortType: "text" | "boolean" | "bigint" | "double precision";
  /** The expression that is selected. Both kinds of database return it alike. */
  readonly shown: string;
}

const TYPES = {
  id: "text",
  word: "text",
  text: "text",
  boolean: "boolean",
  number: "double precision",
  time: "bigint",
} as const satisfies Readonly<Record<ListField["kind"], ListColumn["type"]>>;

/** The column with this name: that of a field, or a text column that only breaks ties. */
export function columnOf(
  { fields }: ListDescription,
  { uuids = [] }: ListSource,
  name: string,
): ListColumn {
  const field = fields.find((one) => one.name === name);
  const { kind, isList, isNullable } = field ?? { kind: "text", isList: false, isNullable: false };
  const quoted = `"${name}"`;
  if (isList) {
    const sortable = `array_to_string(${quoted}, '|') collate "C"`;
    const shown = `${quoted}::text[]`;
    return { name: quoted, type: "text[]", isNullable, sortable, sortType: "text", shown };
  }
  const type = uuids.includes(name) ? "uuid" : TYPES[kind];
  if (type === "text" || type === "uuid") {
    const shown = `${quoted}::text`;
    return {
      name: quoted,
      type,
      isNullable,
      sortable: `${shown} collate "C"`,
      sortType: "text",
      shown,
    };
  }
  const shown = `${quoted}::${type}`;
  return { name: quoted, type, isNullable, sortable: quoted, sortType: type, shown };
}

/**
 * Converts a value that was read from the database to one that a position can contain. A bigint is read as a text and
 * becomes a number. A value of any other type becomes null.
 */
export function placeValue(value: unknown, { sortType }: ListColumn): PlaceValue {
  if (sortType === "bigint" && typeof value === "string") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  return null;
}
