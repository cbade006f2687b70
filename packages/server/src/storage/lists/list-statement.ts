import type { ListDescription } from "@propgate/contract";
import { columnOf, type ListColumn } from "./list-columns.ts";
import type { ListFilter, ListPageQuery, ListPlace, ListQuery, ListSource } from "./list-query.ts";

/**
 * An SQL statement and its parameters. The text has only the source's SQL and names of the description; every other
 * value is a parameter.
 */
export interface ListSql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** A list, its source and its query. */
export interface Listing<Query extends ListQuery> {
  readonly list: ListDescription;
  readonly source: ListSource;
  readonly query: Query;
}

/** The name of a column that is true for an item, and null in the one row of an empty page. */
export const PRESENT_COLUMN = "_present";
/** The name of the column with the number of items of all pages. */
export const TOTAL_COLUMN = "_total";
/** The name of the column with the sums of all pages. */
export const SUMS_COLUMN = "_sums";
/** The name of the column with a value of the item's position. */
export function placeColumn(index: number): string {
  return `_place${index}`;
}

/**
 * One statement for a page: the items after a position, and the count and the sums of all pages. It returns at least
 * one row; on an empty page this row has no `_present`. It returns one item more than the limit when another page
 * follows.
 */
export function pageStatement(listing: Listing<ListPageQuery>): ListSql {
  const { list, source, query } = listing;
  const binder = createBinder(source);
  const found = foundRows(listing, binder);
  const columns = orderColumns(listing);
  const after =
    query.after === null ? "" : `where ${afterCondition(columns, query, query.after, binder)}`;
  const total = list.isCounted ? `(select count(*)::int from found)` : "null";
  const text = `with ${found}
    select page.*, ${total} as "${TOTAL_COLUMN}", ${sumsText(source)} as "${SUMS_COLUMN}"
    from (select 1) as one left join (
      select true as "${PRESENT_COLUMN}", ${shownColumns(listing, columns)} from found ${after}
      order by ${orderClause(columns, query)} limit ${binder.bind(query.limit + 1, "bigint")}
    ) as page on true`;
  return { text, parameters: binder.parameters };
}

/** One statement for all items in order. */
export function wholeListStatement(listing: Listing<ListQuery>): ListSql {
  const binder = createBinder(listing.source);
  const found = foundRows(listing, binder);
  const columns = orderColumns(listing);
  const text = `with ${found} select ${shownColumns(listing, columns)} from found
    order by ${orderClause(columns, listing.query)}`;
  return { text, parameters: binder.parameters };
}

/**
 * The names of the fields that make a position: the field that the list is sorted by, then the other fields that break
 * ties.
 */
export function placeFields(
  { ties }: ListDescription,
  { field }: ListQuery["sort"],
): readonly string[] {
  return [field, ...ties.filter((tie) => tie !== field)];
}

/** The columns of a position, in the order of `placeFields`. */
export function orderColumns({ list, source, query }: Listing<ListQuery>): readonly ListColumn[] {
  return placeFields(list, query.sort).map((name) => columnOf(list, source, name));
}

interface Binder {
  readonly parameters: unknown[];
  /** Adds a parameter and returns its placeholder with its type, such as `$3::uuid`. */
  bind(value: unknown, type: string): string;
}

function createBinder({ parameters = [] }: ListSource): Binder {
  const bound = [...parameters];
  return {
    parameters: bound,
    bind: (value, type) => `$${bound.push(value)}::${type}`,
  };
}

/**
 * The common table expressions of a statement. The last one, `found`, has the rows that match. It is not materialized,
 * because a count needs few columns and a page few rows: the planner plans the two uses separately.
 */
function foundRows({ list, source, query }: Listing<ListQuery>, binder: Binder): string {
  const conditions = [
    ...query.filters.map((filter) =>
      conditionOf(columnOf(list, source, filter.field), filter, binder, isText(list, filter)),
    ),
    ...(query.text === null ? [] : [searchCondition(list, query.text, binder)]),
  ];
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const tables = source.withTables === undefined ? "" : `${source.withTables}, `;
  return `${tables}found as not materialized (select * from (${source.rows}) as listed ${where})`;
}

function isText({ fields }: ListDescription, { field }: ListFilter): boolean {
  return fields.some(({ name, kind }) => name === field && kind === "text");
}

function conditionOf(
  column: ListColumn,
  filter: ListFilter,
  binder: Binder,
  isWhole: boolean,
): string {
  const { name, type } = column;
  if ("isKnown" in filter) return `${name} is ${filter.isKnown ? "not null" : "null"}`;
  if ("min" in filter) return `${name} >= ${binder.bind(filter.min, type)}`;
  if ("max" in filter) return `${name} <= ${binder.bind(filter.max, type)}`;
  if (type === "text[]") {
    return isWhole
      ? `${binder.bind(filter.anyOf[0] ?? "", "text")} = any (${name})`
      : `${name} && ${binder.bind(filter.anyOf, "text[]")}`;
  }
  const values = type === "uuid" ? filter.anyOf.filter(isUuid) : filter.anyOf;
  const [first, ...others] = values;
  if (first === undefined) return "false";
  return others.length === 0
    ? `${name} = ${binder.bind(first, type)}`
    : `${name} = any (${binder.bind(values, `${type}[]`)})`;
}

/**
 * Whether a text has the form of a uuid. A text without this form is left out of a condition on a uuid, because the
 * database rejects it, and no row has such an id.
 */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * The condition of a search. It is false for a list without searched fields; the filter of items in memory matches
 * nothing then either.
 */
function searchCondition(list: ListDescription, text: string, binder: Binder): string {
  if (list.searchedParts.length + list.searchedBeginnings.length === 0) return "false";
  const wanted = `lower(${binder.bind(text, "text")})`;
  const parts = list.searchedParts.map((name) => `position(${wanted} in lower("${name}")) > 0`);
  const beginnings = list.searchedBeginnings.map(
    (name) => `starts_with(lower("${name}"::text), ${wanted})`,
  );
  return `(${[...parts, ...beginnings].join(" or ")})`;
}

/**
 * Nulls come last, and the fields that break ties ascend, whichever direction the list is sorted in. `nulls last` is
 * left out for a column that is never null, so that an index can give the order.
 */
function orderClause([sorted, ...ties]: readonly ListColumn[], { sort }: ListQuery): string {
  if (sorted === undefined) throw new Error("broken invariant: a list is sorted by a field");
  const nulls = sorted.isNullable ? " nulls last" : "";
  return [
    `${sorted.sortable} ${sort.isDescending ? "desc" : "asc"}${nulls}`,
    ...ties.map(({ sortable }) => sortable),
  ].join(", ");
}

/** The condition for the items after a position, in the order of `orderClause`. */
function afterCondition(
  [sorted, ...ties]: readonly ListColumn[],
  { sort }: ListQuery,
  [value, ...tieValues]: ListPlace,
  binder: Binder,
): string {
  if (sorted === undefined) throw new Error("broken invariant: a list is sorted by a field");
  const behindTies = ties
    .map((tie, index) => {
      const same = ties
        .slice(0, index)
        .map(
          (other, place) => `${other.sortable} = ${bindSortValue(other, tieValues[place], binder)}`,
        );
      return [...same, `${tie.sortable} > ${bindSortValue(tie, tieValues[index], binder)}`].join(
        " and ",
      );
    })
    .map((condition) => `(${condition})`)
    .join(" or ");
  const ofSame = behindTies === "" ? "false" : behindTies;
  if (value === null || value === undefined) return `${sorted.sortable} is null and (${ofSame})`;
  const own = bindSortValue(sorted, value, binder);
  const beyond = sort.isDescending ? "<" : ">";
  const behind = `${sorted.sortable} ${beyond} ${own} or (${sorted.sortable} = ${own} and (${ofSame}))`;
  // The comparison with the first column alone is added, because only it lets an index find the start of the page.
  return sorted.isNullable
    ? `(${behind} or ${sorted.sortable} is null)`
    : `${sorted.sortable} ${beyond}= ${own} and (${behind})`;
}

function bindSortValue({ sortType }: ListColumn, value: unknown, binder: Binder): string {
  const parameter = binder.bind(value ?? null, sortType);
  return sortType === "text" ? `${parameter} collate "C"` : parameter;
}

function shownColumns(
  { list, source, query }: Listing<ListQuery>,
  places: readonly ListColumn[],
): string {
  return [
    ...query.fields.map((name) => `${columnOf(list, source, name).shown} as "${name}"`),
    ...places.map(
      ({ type, sortable, shown }, index) =>
        `${type === "text[]" ? sortable : shown} as "${placeColumn(index)}"`,
    ),
  ].join(", ");
}

/**
 * SQL of a JSON text that has, for each word of the field `sums.by`, its count and its sums in micro dollars; `null`
 * for a source without sums.
 */
function sumsText({ sums }: ListSource): string {
  if (sums === undefined) return "null";
  const amounts = sums.amounts.map(
    (name) => `coalesce(sum(round("${name}"::numeric * 1000000)), 0)`,
  );
  const grouped = `select json_build_array("${sums.by}", count(*), ${amounts.join(", ")}) as one
    from found group by "${sums.by}"`;
  return `(select json_agg(one)::text from (${grouped}) as grouped)`;
}
