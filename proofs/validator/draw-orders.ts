import type { Chance } from "../../packages/base/src/random.ts";
import { canShowFault } from "./submit-faults.ts";

/** The fields of an order as a client sends them. */
export type OrderFields = Readonly<
  Record<string, string | number | readonly Readonly<Record<string, number>>[]>
>;

type SentEntry = OrderFields & { readonly execution_type: string };

/** How the validator's record of an order is found. */
export type RecordLookup =
  /** An order with its own id. No other order of the run has this number in this field. */
  | {
      readonly kind: "entry";
      readonly execution: string;
      readonly field: string;
      readonly is: number;
    }
  /** A FLAT of a pair. Its content is the same as that of every other FLAT of the pair, so it is found by its id. */
  | { readonly kind: "flat" }
  /**
   * An act, which is an order that names other orders or positions and has no id of its own. It is found by its kind
   * and target, among the calls between its sending and that of the next equal act.
   */
  | { readonly kind: "act"; readonly execution: ActExecution; readonly target: string };

/** The kinds of orders that name other orders or positions. */
export type ActExecution = "LIMIT_CANCEL" | "LIMIT_EDIT" | "FLAT_ALL";

/** An order to be sent, and how its record is found at the validator. */
export interface DrawnOrder {
  readonly trade: OrderFields;
  readonly lookup: RecordLookup;
  /** The kind of an order that stays pending, which later orders can change and cancel; null for any other. */
  readonly pendingKind: PendingKind | null;
}

type PendingKind = "limit" | "stopLimit" | "bracket";

/** An order that was accepted and stays pending. */
export interface PendingOrder {
  readonly orderUuid: string;
  readonly pair: string;
  readonly kind: PendingKind;
}

/** The pair, the orders and the positions that a drawn order can name. */
export interface OrderTargets {
  /** The pair for the drawn order. */
  readonly pair: string;
  /** Pending orders that no other order has named. A drawn order that names some removes them from the list. */
  readonly pending: PendingOrder[];
  /** Reads the ids of open positions; empty when they cannot be read. */
  positions(): Promise<readonly string[]>;
}

/** The random choices of a run. The same seed gives the same choices. */
export interface RunChoices {
  nonce(): string;
  /** The fault of the order: null for two of five orders, else the next of the kinds that can affect it. */
  fault(order: DrawnOrder): string | null;
  order(holdings: OrderTargets): Promise<DrawnOrder>;
  /** Draws an order with its own id. */
  entry(pair: string): DrawnOrder;
}

/** Far below the market: a limit order at this price fills only by a fault, and a stop is never reached. */
const LOWEST_PRICE = 1;
/** Far above the market: a stop order at this price never triggers. */
const STOP_PRICE = 5_000;
const PRICE_STEP = 0.01;
/** Two legs of half the position each, below every limit price. */
const LEGS = [
  { stop_loss: 0.5, bracket_pct: 0.5 },
  { stop_loss: 0.6, bracket_pct: 0.5 },
];
/** The stop of every third market order is above the market, so the validator refuses it. */
const REFUSED_EVERY = 3;
const QUANTITY_STEP = 0.00001;
const QUANTITY = 0.01;

/** The kinds of orders with their own id, each as often as its weight. */
const ENTRY_KINDS = [
  ...["market", "market", "market", "market", "market"],
  ...["limit", "limit", "limit", "limit", "stopLimit", "stopLimit", "bracket", "bracket"],
  ...["flat", "flat"],
] as const;
/**
 * The kinds of acts, each as often as its weight. An act that finds no order or position to name is replaced by a limit
 * order.
 */
const ACT_KINDS = [
  ...["edit", "edit", "edit", "cancel", "cancel", "cancelList", "cancelAll"],
  ...["flatten", "flattenAll"],
] as const;

type EntryKind = (typeof ENTRY_KINDS)[number];
type ActKind = (typeof ACT_KINDS)[number];

/** Creates the choices of a run from its random bytes. `faults` are the kinds of faults in their order. */
export function createRunChoices(chance: Chance, faults: readonly string[]): RunChoices {
  let drawn = 0;
  const ofActs = createRotation(faults.filter((fault) => canShowFault(fault, true)));
  const ofEntries = createRotation(faults.filter((fault) => canShowFault(fault, false)));
  const below = (limit: number): number => Buffer.from(chance.bytes(4)).readUInt32BE() % limit;
  return {
    nonce: () => Buffer.from(chance.bytes(16)).toString("hex"),
    fault({ lookup }) {
      if (below(5) > 2) return null;
      return lookup.kind === "act" ? ofActs() : ofEntries();
    },
    entry(pair) {
      drawn += 1;
      return entry(ENTRY_KINDS[below(ENTRY_KINDS.length)] ?? "limit", drawn, pair);
    },
    async order(holdings) {
      drawn += 1;
      const index = below(ENTRY_KINDS.length + ACT_KINDS.length);
      const kind = ENTRY_KINDS[index];
      if (kind !== undefined) return entry(kind, drawn, holdings.pair);
      const actKind = ACT_KINDS[index - ENTRY_KINDS.length] ?? "edit";
      return (await drawAct(actKind, drawn, holdings)) ?? entry("limit", drawn, holdings.pair);
    },
  };
}

/** Creates a function that returns the faults one after the other, again and again; null when there are none. */
function createRotation(faults: readonly string[]): () => string | null {
  let taken = 0;
  return () => {
    taken += 1;
    return faults[(taken - 1) % faults.length] ?? null;
  };
}

/** Draws an act on pending orders or positions; null when there are none to name. */
async function drawAct(
  kind: ActKind,
  drawn: number,
  holdings: OrderTargets,
): Promise<DrawnOrder | null> {
  const { pending } = holdings;
  switch (kind) {
    case "edit": {
      const target = pending.shift();
      return target === undefined ? null : editOf(target, drawn);
    }
    case "cancel":
    case "cancelList": {
      const targets = pending.splice(0, kind === "cancel" ? 1 : 2);
      if (targets.length === 0) return null;
      return act("LIMIT_CANCEL", targets.map(({ orderUuid }) => orderUuid).join(","));
    }
    case "cancelAll":
      pending.splice(0);
      return act("LIMIT_CANCEL", "ALL");
    case "flatten": {
      const ids = (await holdings.positions()).slice(0, 2);
      return ids.length === 0 ? null : act("FLAT_ALL", ids.join(","));
    }
    case "flattenAll":
      return act("FLAT_ALL", "ALL");
  }
}

function act(execution: ActExecution, target: string, fields: OrderFields = {}): DrawnOrder {
  const trade = { ...fields, execution_type: execution, order_uuid: target };
  return { trade, lookup: { kind: "act", execution, target }, pendingKind: null };
}

/** An edit that sends the whole order under the same id, with another price. */
function editOf({ orderUuid, pair, kind }: PendingOrder, drawn: number): DrawnOrder {
  const { trade } = entry(kind, drawn, pair);
  const { execution_type: _, ...fields } = trade;
  return act("LIMIT_EDIT", orderUuid, fields);
}

function entry(kind: EntryKind, drawn: number, pair: string): DrawnOrder {
  const long = { trade_pair: pair, order_type: "LONG" };
  const step = Number((drawn * PRICE_STEP).toFixed(2));
  const price = Number((LOWEST_PRICE + step).toFixed(2));
  const entryOf = (trade: SentEntry, field: string, rests: PendingKind | null): DrawnOrder => {
    const { execution_type: execution } = trade;
    const lookup = { kind: "entry", execution, field, is: Number(trade[field]) } as const;
    return { trade, lookup, pendingKind: rests };
  };
  switch (kind) {
    case "flat": {
      const trade = { execution_type: "MARKET", trade_pair: pair, order_type: "FLAT" };
      return { trade, lookup: { kind: "flat" }, pendingKind: null };
    }
    case "market": {
      const quantity = Number((QUANTITY + drawn * QUANTITY_STEP).toFixed(5));
      const stop_loss = drawn % REFUSED_EVERY === 0 ? STOP_PRICE : LOWEST_PRICE;
      const trade = { ...long, execution_type: "MARKET", quantity, stop_loss };
      return entryOf(trade, "quantity", null);
    }
    case "bracket": {
      const trade = { execution_type: "BRACKET", trade_pair: pair, stop_loss: price };
      return entryOf(trade, "stop_loss", "bracket");
    }
    case "stopLimit": {
      const stop = { stop_price: STOP_PRICE, stop_condition: "GTE" };
      const limit_price = Number((STOP_PRICE + step).toFixed(2));
      const trade = { ...long, ...stop, execution_type: "STOP_LIMIT", quantity: 1, limit_price };
      return entryOf(trade, "limit_price", "stopLimit");
    }
    case "limit": {
      const resting = { quantity: 1, limit_price: price, bracket_orders: LEGS };
      const trade = { ...long, execution_type: "LIMIT", ...resting };
      return entryOf(trade, "limit_price", "limit");
    }
  }
}
