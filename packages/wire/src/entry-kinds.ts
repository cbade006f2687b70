import type {
  OrderFields,
  PendingOrder as PendingOrderItem,
  RequestField,
  RestingExecutionType,
} from "@propgate/contract";
import {
  type EntryContent,
  type EntryKind,
  type EntryRequest,
  entryContent,
  KIND_PLACED,
  type OrderUuid,
  type PairFinder,
  type PendingOrder,
  type PlaceEntry,
} from "@propgate/core";
import { legRequest, orderPrice, requestedSize } from "./order-parts.ts";
import type { SentSizeFields } from "./views/size-fields.ts";
import { DIRECTION_OF_WORD, STOP_CONDITION_OF_WORD, STOP_CONDITION_WORDS } from "./wire.ts";

/*
 * The kinds of entry orders in requests and in answers. A new kind is a row in each of the tables `COMMANDS`, `ENTRIES`
 * and `PENDING_KIND_WORDS`; the compiler requires all three.
 */

type EntryTypeWord = Exclude<RestingExecutionType, "BRACKET">;

/** The fields of an entry in a request: those of a new order, or those that replace an edited order. */
export type EntryFields<Word extends EntryTypeWord = EntryTypeWord> = {
  readonly [Each in Word]: Extract<OrderFields, { readonly executionType: Each }> & {
    readonly executionType: Each;
  };
}[Word];

/**
 * The fields that every kind of command has. Those in `head` come first. The journal keeps a command's fields in this
 * order.
 */
interface CommonCommandFields {
  readonly head: Pick<PlaceEntry, "orderUuid" | "pair" | "direction" | "size">;
  readonly tail: Omit<EntryRequest, keyof CommonCommandFields["head"]>;
}

type CommandBuilders<Word extends EntryTypeWord> = {
  readonly [Each in Word]: (fields: EntryFields<Each>, around: CommonCommandFields) => PlaceEntry;
};

const COMMANDS: CommandBuilders<EntryTypeWord> = {
  LIMIT: ({ limitPrice }, { head, tail }) => ({
    type: "placeLimit",
    ...head,
    limitPrice: orderPrice(limitPrice),
    ...tail,
  }),
  STOP_LIMIT: ({ limitPrice, stopPrice, stopCondition }, { head, tail }) => ({
    type: "placeStopLimit",
    ...head,
    limitPrice: orderPrice(limitPrice),
    ...tail,
    stopPrice: orderPrice(stopPrice),
    stopCondition: STOP_CONDITION_OF_WORD[stopCondition],
  }),
};

/** Whether a valid order places an entry, which stays pending until it is triggered. */
export function isEntry(fields: OrderFields): fields is EntryFields {
  return Object.hasOwn(COMMANDS, fields.executionType);
}

/** The command that places the entry of a request under the id `uuid`. */
export function entryCommand(fields: EntryFields, uuid: OrderUuid, pairOf: PairFinder): PlaceEntry {
  return rowCommand(COMMANDS, fields, {
    head: {
      orderUuid: uuid,
      pair: pairOf(fields.pair),
      direction: DIRECTION_OF_WORD[fields.orderType],
      size: requestedSize(fields.size),
    },
    tail: { legs: fields.legs.map(legRequest), reduceOnly: fields.reduceOnly },
  });
}

function rowCommand<Word extends EntryTypeWord>(
  rows: CommandBuilders<Word>,
  fields: EntryFields<Word>,
  around: CommonCommandFields,
): PlaceEntry {
  return rows[fields.executionType](fields, around);
}

/**
 * The fields that every kind of pending order has in answers and events, without the fields that other functions make:
 * the head (id, pair, direction, kind and time), the size, the fields of its kind, and the legs.
 */
export type SharedOrderFields = Omit<
  PendingOrderItem,
  HeadField | LegField | keyof KindFields | keyof SentSizeFields
>;
type HeadField =
  | "orderUuid"
  | "tradePair"
  | "tradePairDisplay"
  | "orderType"
  | "executionType"
  | "processedMs"
  | "positionUuid";
type LegField =
  | "stopLoss"
  | "takeProfit"
  | "trailingPercent"
  | "trailingValue"
  | "currentStop"
  | "bestPrice"
  | "bracketOrders";

/** The fields of an entry that every kind has, in the API's form. */
export function sharedEntryFields({ reduceOnly }: EntryRequest): SharedOrderFields {
  return { reduceOnly };
}

/** The shared fields of a leg, which only reduces. */
export const SHARED_LEG_FIELDS: SharedOrderFields = { reduceOnly: true };

/** The fields that not every kind has, as answers and events show them. */
export type KindFields = Pick<PendingOrderItem, "limitPrice" | "stopPrice" | "stopCondition">;

/** The kind's fields of a leg and of a market order, which are all null. */
export const NO_KIND_FIELDS: KindFields = {
  limitPrice: null,
  stopPrice: null,
  stopCondition: null,
};

interface KindWords<Fields> {
  readonly mark: RequestField;
  readonly view: (fields: Fields) => Partial<KindFields>;
  /** The end of a sentence: the prices of the order, after its size and pair. */
  readonly prices: (fields: Fields, shown: (price: number) => string) => string;
}

type Rows<Kind extends EntryKind> = { readonly [Each in Kind]: KindWords<EntryContent<Each>> };

const ENTRIES: Rows<EntryKind> = {
  limit: {
    mark: "limit_price",
    view: ({ limitPrice }) => ({ limitPrice }),
    prices: ({ limitPrice }, shown) => ` at ${shown(limitPrice)}`,
  },
  stopLimit: {
    mark: "stop_price",
    view: ({ limitPrice, stopPrice, stopCondition }) => ({
      limitPrice,
      stopPrice,
      stopCondition: STOP_CONDITION_WORDS[stopCondition],
    }),
    prices: ({ limitPrice, stopPrice, stopCondition }, shown) =>
      ` at ${shown(limitPrice)} once the price is at ${shown(stopPrice)} or ${stopCondition === "gte" ? "above" : "below"}`,
  },
};

function rowOf<Kind extends EntryKind>(
  rows: Rows<Kind>,
  { kind }: EntryContent<Kind>,
): KindWords<EntryContent<Kind>> {
  return rows[kind];
}

/** The request field that makes an edit one of this kind. */
export function editFieldOfKind(kind: EntryKind): RequestField {
  return ENTRIES[kind].mark;
}

/** The fields of the entry's kind in the API's form; null where the kind has no such field. */
export function kindFields(entry: EntryContent): KindFields {
  return { ...NO_KIND_FIELDS, ...rowOf(ENTRIES, entry).view(entry) };
}

/** The kind's fields of the order that a command places, as `kindFields` gives them. */
export function commandKindFields(command: PlaceEntry): KindFields {
  return kindFields(entryContent(command, { kind: KIND_PLACED[command.type] }));
}

/** The prices of an entry as the end of a sentence. */
export function entryPricesText(entry: EntryContent, shown: (price: number) => string): string {
  return rowOf(ENTRIES, entry).prices(entry, shown);
}

/** A kind as text: `stop-limit order` for a stop limit order. */
export function kindText(kind: EntryKind): string {
  return `${PENDING_KIND_WORDS[kind].toLowerCase().replaceAll("_", "-")} order`;
}

/** `executionType` of a pending order. @rule D3.words */
export const PENDING_KIND_WORDS: Readonly<Record<PendingOrder["kind"], RestingExecutionType>> = {
  limit: "LIMIT",
  stopLimit: "STOP_LIMIT",
  bracket: "BRACKET",
};

/** The domain's kind for each word of `PENDING_KIND_WORDS`. */
export const KIND_OF_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(PENDING_KIND_WORDS).map(([kind, word]) => [word, kind]),
);
