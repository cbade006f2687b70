import type { ListOf } from "@propgate/contract";
import type { Database, PerShard } from "@propgate/ledger";
import { comparePlacesBy } from "./compare-places.ts";
import { cursorRows } from "./cursor-rows.ts";
import { columnOf, placeValue } from "./list-columns.ts";
import type {
  ListPage,
  ListPageQuery,
  ListPlace,
  ListQuery,
  ListSource,
  ListSum,
} from "./list-query.ts";
import {
  type Listing,
  orderColumns,
  PRESENT_COLUMN,
  pageStatement,
  placeColumn,
  SUMS_COLUMN,
  TOTAL_COLUMN,
  wholeListStatement,
} from "./list-statement.ts";
import { mergeSorted } from "./merge-sorted.ts";

/** Reads pages and whole lists. Filters, sorting and positions mean the same for every list. */
export interface ListReader {
  /** Reads one page. With several databases, their pages are merged. */
  page<Item>(list: ListOf<Item>, source: ListSource, query: ListPageQuery): Promise<ListPage<Item>>;
  /** All items as of the moment at which the first one was read; each database has its own moment. */
  all<Item>(list: ListOf<Item>, source: ListSource, query: ListQuery): AsyncGenerator<Item>;
}

type Row = Readonly<Record<string, unknown>>;

interface PlacedItem {
  readonly item: Row;
  readonly place: ListPlace;
}

export function createListReader(databases: PerShard<Database>): ListReader {
  return {
    async page<Item>(list: ListOf<Item>, source: ListSource, query: ListPageQuery) {
      const listing = { list, source, query };
      const { text, parameters } = pageStatement(listing);
      const pages = await Promise.all(
        databasesOf(source, databases).map(async (database) =>
          readPage(listing, await database.query<Row>(text, parameters, "once")),
        ),
      );
      return mergePages<Item>(listing, pages);
    },
    async *all<Item>(list: ListOf<Item>, source: ListSource, query: ListQuery) {
      const listing = { list, source, query };
      const statement = wholeListStatement(listing);
      const read = createRowReader(listing);
      const parts = databasesOf(source, databases).map(async function* (database) {
        for await (const rows of cursorRows<Row>(database, statement)) yield* rows.map(read);
      });
      const [only] = parts;
      const merged =
        parts.length === 1 && only !== undefined
          ? only
          : mergeSorted(parts, comparePlacedBy(listing));
      for await (const { item } of merged) yield item as Item;
    },
  };
}

function databasesOf(
  { databases: which }: ListSource,
  databases: PerShard<Database>,
): readonly Database[] {
  return which === "first" ? [databases[0]] : databases;
}

interface DatabasePage {
  readonly items: readonly PlacedItem[];
  readonly total: number | null;
  readonly sums: readonly ListSum[];
}

function readPage(listing: Listing<ListPageQuery>, rows: readonly Row[]): DatabasePage {
  const [first] = rows;
  const total = first?.[TOTAL_COLUMN];
  return {
    items: rows.filter((row) => row[PRESENT_COLUMN] === true).map(createRowReader(listing)),
    total: typeof total === "number" ? total : null,
    sums: sumsOf(first?.[SUMS_COLUMN]),
  };
}

function createRowReader(listing: Listing<ListQuery>): (row: Row) => PlacedItem {
  const { list, source, query } = listing;
  const places = orderColumns(listing);
  const times = new Set(list.fields.filter(({ kind }) => kind === "time").map(({ name }) => name));
  const isBigint = query.fields.map(
    (name) => times.has(name) && columnOf(list, source, name).type === "bigint",
  );
  return (row) => ({
    item: Object.fromEntries(
      query.fields.map((name, index) => {
        const { [name]: value = null } = row;
        return [name, isBigint[index] === true && value !== null ? Number(value) : value];
      }),
    ),
    place: places.map((column, index) => placeValue(row[placeColumn(index)], column)),
  });
}

/** Reads the JSON text that `sumsText` made in the statement; empty for a list without sums. */
function sumsOf(text: unknown): readonly ListSum[] {
  if (typeof text !== "string") return [];
  const rows = JSON.parse(text) as readonly (readonly [string, number, ...number[]])[];
  return rows.map(([word, count, ...amounts]) => ({ word, count, amounts }));
}

/** Merges the pages of the databases into one. A row has the fields that the query names, so it is cast to an item. */
function mergePages<Item>(
  listing: Listing<ListPageQuery>,
  pages: readonly DatabasePage[],
): ListPage<Item> {
  const { list, query } = listing;
  const all = pages.flatMap(({ items }) => items);
  const sorted = pages.length === 1 ? all : all.toSorted(comparePlacedBy(listing));
  const shown = sorted.slice(0, query.limit);
  return {
    items: shown.map(({ item }) => item as Item),
    next: sorted.length > query.limit ? (shown.at(-1)?.place ?? null) : null,
    total: list.isCounted ? pages.reduce((sum, { total }) => sum + (total ?? 0), 0) : null,
    sums: addSums(pages.flatMap(({ sums }) => sums)),
  };
}

function comparePlacedBy({ query }: Listing<ListQuery>) {
  const compare = comparePlacesBy(query.sort);
  return (one: PlacedItem, other: PlacedItem): number => compare(one.place, other.place);
}

function addSums(sums: readonly ListSum[]): readonly ListSum[] {
  const added = new Map<string, ListSum>();
  for (const sum of sums) {
    const known = added.get(sum.word);
    if (known === undefined) added.set(sum.word, sum);
    else {
      const amounts = sum.amounts.map((amount, index) => amount + (known.amounts[index] ?? 0));
      added.set(sum.word, { word: sum.word, count: known.count + sum.count, amounts });
    }
  }
  return [...added.values()];
}
