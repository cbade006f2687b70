import { wireJson } from "@propgate/base";
import { isRecord, type JsonSchema, LIMITS, OPERATOR_ANSWERS } from "@propgate/contract";
import type { AccountReadName } from "../../../api/routes/account-reads.ts";
import type { Answered, HandlerOutcome } from "../../../api/routes/handler.ts";
import { type Cell, type FileColumn, timeColumns } from "../../json/row-file.ts";

type Query = Readonly<Record<string, string>>;

/** An item of a read's answer, as JSON gives it. */
type Item = Readonly<Record<string, unknown>>;

/** Answers one page of a read. */
export type ReadPage = (query: Query) => Promise<HandlerOutcome>;

/** How a read is divided into pages. */
interface Paging {
  /** The parameters of the first page, which is as large as the read allows. Empty when the read needs none. */
  readonly first: Query;
  /** The name of the query parameter with the cursor after which a page begins. */
  readonly place: string;
  readonly itemsOf: (data: unknown) => readonly Item[];
  /**
   * The cursor of the next page; null after the last page. `beside` is the `next` that some reads answer beside `data`.
   */
  readonly nextOf: (data: unknown, beside: Answered["next"]) => string | null;
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const fieldOf = (data: unknown, name: string): unknown => (isRecord(data) ? data[name] : undefined);
const recordsOf = (value: unknown): readonly Item[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const WHOLE: Paging = {
  first: {},
  place: "after",
  itemsOf: recordsOf,
  nextOf: (_, beside) => (beside === undefined || beside === null ? null : String(beside)),
};

/** Begins with the oldest item. Without `after` the newest page would come first. */
const HISTORY: Paging = {
  first: { after: "0", limit: String(LIMITS.eventsLimitMax) },
  place: "after",
  itemsOf: (data) => recordsOf(fieldOf(data, "items")),
  nextOf: (data) => textOf(fieldOf(data, "next")),
};

const PAGING: Readonly<Record<AccountReadName, Paging>> = {
  getPositions: WHOLE,
  getOrders: WHOLE,
  getTrades: { ...WHOLE, first: { limit: String(LIMITS.eventsLimitMax) } },
  getPayouts: {
    ...HISTORY,
    first: { limit: String(LIMITS.payoutsLimitMax) },
    place: "cursor",
    nextOf: (data) => textOf(fieldOf(data, "nextCursor")),
  },
  getEvents: HISTORY,
  getOrderHistory: HISTORY,
  getFills: HISTORY,
  getOrder: {
    ...HISTORY,
    first: {},
    itemsOf: (data) => (isRecord(data) ? [data] : []),
  },
};

/** The query of a file's first page: the caller's filters, without the caller's cursor and limit. */
export function firstPage(read: AccountReadName, query: Query): Query {
  const { after: _after, limit: _limit, cursor: _cursor, wait: _wait, ...filters } = query;
  return { ...filters, ...PAGING[read].first };
}

/** All items of a read, page after page. The first page has been read by the caller. */
export async function* fileItems(from: {
  readonly read: AccountReadName;
  readonly first: Answered;
  readonly readPage: ReadPage;
  readonly query: Query;
}): AsyncGenerator<Item> {
  const { read, readPage, query } = from;
  const paging = PAGING[read];
  const begun = firstPage(read, query);
  let place = begun[paging.place] ?? null;
  let answer = from.first;
  const life = read === "getOrder" ? new JoinedOrder() : null;
  for (;;) {
    const data: unknown = JSON.parse(await textOfJson(answer.json));
    const items = paging.itemsOf(data);
    if (life === null) yield* items;
    else for (const item of items) life.add(item);
    const next = paging.nextOf(data, answer.next);
    // A page of events may have no items and still a next page, because `types` left out all its events.
    if (next === null || next === place || (items.length === 0 && read !== "getEvents")) break;
    place = next;
    const outcome = await readPage({ ...begun, [paging.place]: next });
    if (!outcome.ok) throw new Error(`a page of the file was refused: ${outcome.rejection.error}`);
    answer = outcome;
  }
  if (life !== null) yield* life.whole();
}

/** Joins the pages of `getOrder` into one item: an order with all its events. */
class JoinedOrder {
  private first: Item | null = null;
  private readonly events: unknown[] = [];

  add(page: Item): void {
    this.first ??= page;
    if (Array.isArray(page.events)) this.events.push(...page.events);
  }

  whole(): readonly Item[] {
    return this.first === null ? [] : [{ ...this.first, events: this.events, next: null }];
  }
}

async function textOfJson(json: string | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof json === "string") return json;
  const pieces: Uint8Array[] = [];
  for await (const piece of json) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** The schema of one item of each read. */
const ITEMS: Readonly<Record<AccountReadName, JsonSchema>> = {
  getPositions: itemOf(OPERATOR_ANSWERS["accounts.positions"].json),
  getOrders: itemOf(OPERATOR_ANSWERS["accounts.orders"].json),
  getTrades: itemOf(OPERATOR_ANSWERS["accounts.trades"].json),
  getPayouts: itemOf(propertyOf(OPERATOR_ANSWERS["accounts.payouts"].json, "items")),
  getEvents: eventOf(itemOf(propertyOf(OPERATOR_ANSWERS["accounts.events"].json, "items"))),
  getOrder: OPERATOR_ANSWERS["accounts.order"].json,
  getOrderHistory: itemOf(propertyOf(OPERATOR_ANSWERS["accounts.orderHistory"].json, "items")),
  getFills: itemOf(propertyOf(OPERATOR_ANSWERS["accounts.fills"].json, "items")),
};

function schemaOf(value: unknown): JsonSchema {
  if (!isRecord(value)) throw new Error("broken invariant: every read's items have a schema");
  return value;
}

function itemOf(schema: JsonSchema): JsonSchema {
  return schemaOf(schema.items);
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  return schemaOf(schemaOf(schema.properties)[name]);
}

/** The schema of an event with the fields that all types share. Each type has its own `data`, so `data` is one cell. */
function eventOf(union: JsonSchema): JsonSchema {
  const [first] = Array.isArray(union.anyOf) ? union.anyOf : [];
  const event = schemaOf(first);
  return { ...event, properties: { ...schemaOf(event.properties), data: {} } };
}

/**
 * The columns of a read's CSV file. A nested field has a name with dots, a time has two columns, a list of texts is one
 * cell with `|` between them, and any other list is JSON.
 */
export function fileColumns(read: AccountReadName): readonly FileColumn<Item>[] {
  return columnsOf(ITEMS[read], []);
}

function columnsOf(schema: JsonSchema, path: readonly string[]): readonly FileColumn<Item>[] {
  const { properties } = schema;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = [...path, name];
    const shape = isRecord(field) ? objectIn(field) : null;
    if (shape !== null) return columnsOf(shape, inner);
    const value = (item: Item): unknown => inner.reduce<unknown>(fieldOf, item);
    const column = inner.join(".");
    if (isRecord(field) && field.format === "int64" && name.endsWith("Ms")) {
      return timeColumns<Item>(column, (item) => {
        const atMs = value(item);
        return typeof atMs === "number" ? atMs : null;
      });
    }
    return [{ name: column, cell: (item: Item) => cellOf(value(item)) }];
  });
}

/** The schema of the object that a field holds, if it is not null; null for a field of another kind. */
function objectIn(field: JsonSchema): JsonSchema | null {
  if (isRecord(field.properties)) return field;
  if (!Array.isArray(field.anyOf)) return null;
  const shapes = field.anyOf.filter((one) => isRecord(one) && isRecord(one.properties));
  return shapes.length === 1 && isRecord(shapes[0]) ? shapes[0] : null;
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return String(value);
  const isWords = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isWords ? value.join("|") : wireJson(value);
}
