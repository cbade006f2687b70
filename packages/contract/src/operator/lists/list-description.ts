import type { Schema } from "../../schema.ts";
import { type ListField, listFields } from "./list-field.ts";

/** The parameters that every list has; without searched fields there is no `q`. */
type CommonParameter = "limit" | "after" | "sort" | "q" | "fields" | "format";

type NameOf<Item> = keyof Item & string;

/** A number and a time have both bounds; every other field, and one that may be null, has a filter of its name. */
type FieldParameter<Name extends string, Value> = [NonNullable<Value>] extends [number]
  ? `${Name}Min` | `${Name}Max` | (null extends Value ? Name : never)
  : Name;

/** The names of the query parameters of a list of these items. */
export type ListParameter<Item> =
  | CommonParameter
  | { [Name in NameOf<Item>]: FieldParameter<Name, Item[Name]> }[NameOf<Item>];

/** One list: all that its query, its pages and its files are made from. */
export interface ListDescription {
  readonly item: Schema<unknown>;
  readonly fields: readonly ListField[];
  /** A field, `-` before it for descending. */
  readonly defaultSort: string;
  /** Fields that together identify one item. They order items that are equal by the sort. */
  readonly ties: readonly string[];
  /** The fields that `q` finds by a part. */
  readonly searchedParts: readonly string[];
  /** The fields that `q` finds by their beginning. */
  readonly searchedBeginnings: readonly string[];
  /** Whether `total` counts the filter's items; else it is null. */
  readonly isCounted: boolean;
  /** The names of the query parameters. */
  readonly parameters: readonly string[];
}

/** A description that knows the type of its items. */
export interface ListOf<Item, Parameter extends string = ListParameter<Item>>
  extends ListDescription {
  readonly item: Schema<Item, unknown>;
  readonly parameters: readonly Parameter[];
}

interface ListChoices<Item> {
  readonly sort: NameOf<Item> | `-${NameOf<Item>}`;
  /** Fields, or columns of the list's source that are not fields. */
  readonly ties: readonly string[];
  readonly parts?: readonly NameOf<Item>[];
  readonly beginnings?: readonly NameOf<Item>[];
  readonly isCounted?: boolean;
}

/** Describes a list by its item and its few choices. A list that searches no field has no `q`. */
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

/** Whether a parameter leaves items out of a list; the others say how its items are shown. */
export function filtersList(parameter: string): boolean {
  return parameter === "q" || !COMMON.some((name) => name === parameter);
}

/** The compiler derives the same names from the item's type. */
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

/** `status`; `sizeMin`, `sizeMax`; `endedAtMs`, `endedAtMsMin`, `endedAtMsMax`. */
function filterNames({ name, kind, isNullable }: ListField): readonly string[] {
  if (kind !== "number" && kind !== "time") return [name];
  return [...(isNullable ? [name] : []), `${name}Min`, `${name}Max`];
}
