import { editTrade, type PendingOrder as ListedOrder, parsePlaceOrder } from "@propgate/contract";
import {
  type AccountState,
  accountId,
  decide,
  type Event,
  evolve,
  type Moment,
  momentOfHoldings,
  type OrderCommand,
  type OrderPreview,
  type OrderUuid,
  type PairId,
  type PendingOrder,
  type PreviewCommand,
  pairId,
  previewOrder,
  type Quote,
  type Refusal,
  type Result,
  unixMs,
} from "@propgate/core";
import fc from "fast-check";
import { wireJson } from "../../../base/src/wire-json.ts";
import { orderReceipt, orderRestOf } from "../../../ledger/src/trading/network/order-receipt.ts";
import type { OrderReceipt } from "../../../ledger/src/trading/network/port.ts";
import { orderCommand } from "../../../wire/src/order-command.ts";
import { pendingOrderView } from "../../../wire/src/views/pending-order.ts";
import { TEST_OWNER, TEST_TERMS } from "./counting-decider.ts";
import { BTCUSD, EURUSD, quoteAt, SMALL_CATALOGUE } from "./small-market.ts";

/** A Tuesday at noon, when both pairs trade. */
const START_MS = 1_767_700_800_000;
const PAIRS = [
  { pair: BTCUSD, start: 50_000 },
  { pair: EURUSD, start: 1.1 },
] as const;

/** A step has factors of the present price, and amounts with as many digits as a double has. */
export type LifeStep =
  | { readonly do: "quote"; readonly pair: 0 | 1; readonly move: number; readonly spread: number }
  | { readonly do: "order"; readonly pair: 0 | 1; readonly trade: Drawn };

interface DrawnLeg {
  readonly stop: number | null;
  readonly target: number | null;
  readonly trail: { readonly by: "trailing_percent" | "trailing_value"; readonly share: number };
  readonly trails: boolean;
  readonly size: { readonly field: string; readonly amount: number } | null;
}

interface Drawn {
  readonly type: "MARKET" | "LIMIT" | "STOP_LIMIT" | "BRACKET" | "FLAT";
  readonly direction: "LONG" | "SHORT";
  readonly size: { readonly field: "quantity" | "value" | "leverage"; readonly share: number };
  readonly limit: number;
  readonly stop: number;
  readonly legs: readonly DrawnLeg[];
}

const around = (away: number) => fc.double({ min: 1 - away, max: 1 + away, noNaN: true });
const shares = fc.double({ min: 0.001, max: 1, noNaN: true });
const legs: fc.Arbitrary<DrawnLeg> = fc.record({
  stop: fc.option(fc.double({ min: 0.001, max: 0.05, noNaN: true })),
  target: fc.option(fc.double({ min: 0.001, max: 0.05, noNaN: true })),
  trail: fc.record({
    by: fc.constantFrom("trailing_percent" as const, "trailing_value" as const),
    share: fc.oneof(
      { weight: 20, arbitrary: fc.double({ min: 0.001, max: 0.1, noNaN: true }) },
      { weight: 1, arbitrary: fc.constantFrom(1e-14, 0.999_999_999_999_9, 1.5) },
    ),
  }),
  trails: fc.boolean(),
  size: fc.option(
    fc.record({
      field: fc.constantFrom("quantity", "value", "leverage", "bracket_pct"),
      amount: shares,
    }),
  ),
});

export const arbitraryLifeStep: fc.Arbitrary<LifeStep> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("quote" as const),
      pair: fc.constantFrom(0 as const, 0 as const, 1 as const),
      // Wide moves and spreads eliminate accounts.
      move: fc.oneof({ weight: 5, arbitrary: around(0.02) }, { weight: 2, arbitrary: around(0.1) }),
      spread: fc.oneof(
        { weight: 5, arbitrary: fc.double({ min: 0, max: 0.001, noNaN: true }) },
        { weight: 2, arbitrary: fc.constant(0.06) },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("order" as const),
      pair: fc.constantFrom(0 as const, 0 as const, 1 as const),
      trade: fc.record({
        type: fc.constantFrom(
          "MARKET",
          "MARKET",
          "LIMIT",
          "LIMIT",
          "STOP_LIMIT",
          "BRACKET",
          "FLAT",
        ),
        direction: fc.constantFrom("LONG", "LONG", "SHORT"),
        size: fc.record({
          field: fc.constantFrom("quantity", "value", "leverage"),
          share: shares,
        }),
        limit: around(0.03),
        stop: around(0.03),
        legs: fc.array(legs, { maxLength: 3 }),
      }),
    }),
  },
);

/** An order that was previewed and then sent. */
export interface PreviewedOrder {
  readonly trade: string;
  readonly preview: Result<OrderPreview | null, Refusal>;
  readonly done:
    | { readonly ok: true; readonly events: readonly Event[]; readonly receipt: OrderReceipt }
    | { readonly ok: false; readonly refusal: Refusal };
  /** The events of the next settlement, at the same quotes. */
  readonly settled: readonly Event[];
}

/** An account whose orders come as bodies of requests. */
export class WordedLife {
  readonly #quotes = new Map<PairId, Quote>();
  #state: AccountState | null = null;
  #now = START_MS;
  #orders = 0;

  constructor() {
    for (const { pair, start } of PAIRS) this.#quote(pair, start, 0);
    const id = accountId("00000000-0000-4000-8000-00000000000a");
    const command = { type: "openAccount", accountId: id, ownerId: TEST_OWNER } as const;
    this.#apply(decide(null, { ...command, terms: TEST_TERMS, provisioned: true }, this.#moment()));
  }

  get isActive(): boolean {
    return this.#state?.status === "active";
  }

  get pending(): readonly PendingOrder[] {
    return this.#state?.orders ?? [];
  }

  /** Takes a step. Returns the sent order; null for a quote, for a body that no account accepts, and for an edit. */
  take(step: LifeStep): PreviewedOrder | null {
    this.#now += 1_000;
    const { pair } = PAIRS[step.pair];
    const { bid } = this.#quotes.get(pair) ?? { bid: PAIRS[step.pair].start };
    if (step.do === "quote") {
      this.#quote(pair, bid * step.move, step.spread);
      this.#settle();
      return null;
    }
    for (const { pair: other } of PAIRS) this.#refresh(other);
    // The market settles each quote. So an order that waited for this quote fills before the new order.
    this.#settle();
    const command = this.#commandOf(tradeOf(step.trade, pair, bid));
    return command === null || command.type === "editOrder" ? null : this.#send(command);
  }

  /**
   * The result of a LIMIT_EDIT of a pending order with the fields that GET orders shows for it: the pending orders
   * afterwards, the refusal, or the reason why the body is invalid.
   */
  editAsShown(order: PendingOrder): readonly PendingOrder[] | Refusal | string {
    const listed = JSON.parse(wireJson(pendingOrderView(order, SMALL_CATALOGUE))) as ListedOrder;
    const edited = editTrade(listed, { fields: {} });
    if (!("trade" in edited)) return JSON.stringify(edited);
    const command = this.#commandOf(edited.trade);
    if (command === null) return "an invalid body";
    const state = this.#state;
    const decided = decide(state, command, this.#moment());
    if (!decided.ok) return decided.refusal;
    return decided.value.reduce<AccountState | null>(evolve, state)?.orders ?? [];
  }

  #send(command: OrderCommand): PreviewedOrder {
    const moment = this.#moment();
    const trade = JSON.stringify(command);
    const preview = previewOrder(this.#state, command as PreviewCommand, moment);
    const decided = decide(this.#state, command, moment);
    if (!decided.ok) return { trade, preview, done: decided, settled: [] };
    const events = decided.value;
    this.#apply(decided);
    const account = { version: 1, state: this.#account() };
    const rest = orderRestOf({ command, events, account, moment, processingMs: 0 });
    const done = { ok: true, events, receipt: orderReceipt(rest, events) } as const;
    return { trade, preview, done, settled: this.#settle() };
  }

  #commandOf(trade: unknown): OrderCommand | null {
    const parsed = parsePlaceOrder(JSON.parse(JSON.stringify({ trade })));
    return parsed.ok
      ? orderCommand(parsed.order, { pairOf: pairId, newUuid: () => this.#newUuid() })
      : null;
  }

  #settle(): readonly Event[] {
    const moment = this.#moment();
    const bests = new Map<OrderUuid, Quote>();
    for (const { uuid, pair } of this.pending) {
      const quote = this.#quotes.get(pair);
      if (quote !== undefined) bests.set(uuid, quote);
    }
    this.#apply(decide(this.#state, { type: "recordBests" }, { ...moment, bests }));
    return this.#apply(decide(this.#state, { type: "settlePrices" }, moment));
  }

  #apply(decided: Result<readonly Event[], Refusal>): readonly Event[] {
    if (!decided.ok) throw new Error(`refused: ${decided.refusal.code}`);
    this.#state = decided.value.reduce<AccountState | null>(evolve, this.#state);
    return decided.value;
  }

  #account(): AccountState {
    if (this.#state === null) throw new Error("an open account");
    return this.#state;
  }

  #moment(): Moment {
    const world = {
      now: unixMs(this.#now),
      quotes: new Map(this.#quotes),
      instruments: SMALL_CATALOGUE,
    };
    return this.#state === null ? world : momentOfHoldings(this.#state, world);
  }

  #quote(pair: PairId, bid: number, spread: number): void {
    const ask = bid * (1 + spread);
    this.#quotes.set(pair, quoteAt(pair, { bid, ask, atMs: unixMs(this.#now) }));
  }

  #refresh(pair: PairId): void {
    const quote = this.#quotes.get(pair);
    if (quote !== undefined) this.#quotes.set(pair, { ...quote, atMs: unixMs(this.#now) });
  }

  #newUuid(): string {
    this.#orders += 1;
    return `00000000-0000-4000-8000-${String(this.#orders).padStart(12, "0")}`;
  }
}

/** The largest sensible amount of each size on an account of 100,000. */
const SIZES = { quantity: 3, value: 200_000, leverage: 2, bracket_pct: 1 } as const;

function tradeOf(drawn: Drawn, pair: PairId, price: number): object {
  const { type, direction, size, limit, stop } = drawn;
  const common = { trade_pair: pair };
  if (type === "FLAT") return { ...common, execution_type: "MARKET", order_type: "FLAT" };
  const bracket_orders = drawn.legs
    .filter((leg) => leg.stop !== null || leg.target !== null || leg.trails)
    .map((leg) => legOf(leg, direction, type === "LIMIT" ? price * limit : price));
  if (type === "BRACKET") return { ...common, execution_type: type, bracket_orders };
  const entry = {
    ...common,
    execution_type: type,
    order_type: direction,
    [size.field]: size.share * SIZES[size.field],
    ...(bracket_orders.length === 0 ? {} : { bracket_orders }),
  };
  if (type === "MARKET") return entry;
  const limited = { ...entry, limit_price: price * limit };
  if (type === "LIMIT") return limited;
  return { ...limited, stop_price: price * stop, stop_condition: stop > 1 ? "GTE" : "LTE" };
}

function legOf(leg: DrawnLeg, direction: Drawn["direction"], entry: number): object {
  const up = direction === "LONG" ? 1 : -1;
  const { stop, target, trail, trails, size } = leg;
  const distance =
    trail.by === "trailing_value" ? trail.share * entry : Math.min(trail.share, 1 - 1e-15);
  return {
    ...(stop === null ? {} : { stop_loss: entry * (1 - up * stop) }),
    ...(target === null ? {} : { take_profit: entry * (1 + up * target) }),
    ...(trails ? { [trail.by]: distance } : {}),
    ...(size === null ? {} : { [size.field]: size.amount * sizeMax(size.field) }),
  };
}

function sizeMax(field: string): number {
  return new Map<string, number>(Object.entries(SIZES)).get(field) ?? 1;
}
