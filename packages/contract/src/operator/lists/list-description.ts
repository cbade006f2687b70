import type { Schema } from "../../schema.ts";
import { type ListField, listFields } from "./list-field.ts";

/** The parameters that every list has. `q` is missing from a list without searched fields. */
type CommonParameter = "limit" | "after" | "sort" | "q" | "fields" | "format";

type NameOf<Item> = keyof Item & string;

/**
 * The parameters that filter by one field. A number or a time has `…Min` and `…Max`, and also its own name when it may
 * be null. Any other field has only its own name.
 */
type FieldParameter<Name extends string, Value> = [NonNullable<Value>] extends [number]
  ? `${Name}Min` | `${Name}Max` | (null extends Value ? Name : never)
  : Name;

/** The names of the query parameters of a list of these items. */
export type ListParameter<Item> =
  | CommonParameter
  | { [Name in NameOf<Item>]: FieldParameter<Name, Item[Name]> }[NameOf<Item>];

/** The description of one list, from which its query parameters, its pages and its files are made. */
export interface ListDescription {
  readonly item: Schema<unknown>;
  readonly fields: readonly ListField[];
  /** The field by which the list is sorted by default, with `-` before it for descending order. */
  readonly defaultSort: string;
  /** Fields that together identify one item. They order items that are equal by the sort. */
  readonly ties: readonly string[];
  /** The fields of which `q` may match any part. */
  readonly searchedParts: readonly string[];
  /** The fields of which `q` has to match the beginning. */
  readonly searchedBeginnings: readonly string[];
  /** True when `total` counts the items that pass the filter; otherwise `total` is null. */
  readonly isCounted: boolean;
  /** The names of the query parameters. */
  readonly parameters: readonly string[];
}

/** A description of a list that also has the types of the list's items and parameters. */
export interface ListOf<Item, Parameter extends string = ListParameter<Item>>
  extends ListDescription {
  readonly item: Schema<Item, unknown>;
  readonly parameters: readonly Parameter[];
}

interface ListChoices<Item> {
  readonly sort: NameOf<Item> | `-${NameOf<Item>}`;
  /** Fields of the item, or columns of the list's source that are not fields, that together identify one item. */
  readonly ties: readonly string[];
  readonly parts?: readonly NameOf<Item>[];
  readonly beginnings?: readonly NameOf<Item>[];
  readonly isCounted?: boolean;
}

/** Describes a list by its item and its sort, ties and searched fields. A list that searches no field has no `q`. */
export function describeList<Item>(
  item: Schema<Item, unknown>,
  given: ListChoices<Item> & { readonly parts?: never; readonly beginnings?: never },
): ListOf<Item, Exclude<ListParameter<Item>, "q">>;
export function describeList<Item>(
  item: Schema<Item, unknown>,
  given: ListChoices<Item>,
): ListOf<Item>;
export function describeList<Item>(
  item: Schema<Item, unknown>,
  given: ListChoices<Item>,
): ListOf<Item> {
  const fields = listFields(item.json);
  const [searchedParts, searchedBeginnings] = [given.parts ?? [], given.beginnings ?? []];
  const isSearched = searchedParts.length + searchedBeginnings.length > 0;
  return {
    item,
    fields,
    defaultSort: given.sort,
    ties: given.ties,
    searchedParts,
    searchedBeginnings,
    isCounted: given.isCounted ?? false,
    parameters: parametersOf<Item>(fields, isSearched),
  };
}

const COMMON: readonly CommonParameter[] = ["limit", "after", "sort", "q", "fields", "format"];

/**
 * True for a parameter that leaves items out of a list: `q`, or a field's. The other parameters choose the page and its
 * form.
 */
export function isFilterParameter(parameter: string): boolean {
  return parameter === "q" || !COMMON.some((name) => name === parameter);
}

/** The names of a list's query parameters. `ListParameter` derives the same names from the item's type. */
function parametersOf<Item>(
  fields: readonly ListField[],
  isSearched: boolean,
): readonly ListParameter<Item>[] {
  const common = COMMON.filter((name) => isSearched || name !== "q");
  return [
    ...common,
    ...fields.flatMap(filterNames),
  ] as readonly string[] as readonly ListParameter<Item>[];
}

/** The names of a field's filters: `status`; `sizeMin`, `sizeMax`; `endedAtMs`, `endedAtMsMin`, `endedAtMsMax`. */
function filterNames({ name, kind, isNullable }: ListField): readonly string[] {
  if (kind !== "number" && kind !== "time") return [name];
  return [...(isNullable ? [name] : []), `${name}Min`, `${name}Max`];
}
