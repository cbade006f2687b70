/**
 * Random orders of every kind over random quotes; after each command the algebra of the account
 * must hold. The numbers here are sums of the events, never what the network itself computed.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AccountState } from "../account/account.ts";
import { balanceOf } from "../account/balance.ts";
import { equityOf, positionValueOf } from "../account/equity.ts";
import { accountId, type OrderUuid, orderUuid, ownerId, type PairId, pairId } from "../ids.ts";
import type { Quote } from "../market/quote.ts";
import {
  type Direction,
  type LegRequest,
  ORDER_TRANSITIONS,
  type OrderStatus,
} from "../orders/order.ts";
import type { LegSize, Size } from "../orders/size.ts";
import type { Terms } from "../rules/terms.ts";
import { CATALOGUE, TERMS } from "../testing/catalogue.ts";
import { leverage, percent, price, ratio, roundUsd, type UnixMs, unixMs } from "../units.ts";
import type { Command } from "./command.ts";
import { decide } from "./decide.ts";
import type { Event, OrderFilled } from "./event.ts";
import { evolve } from "./evolve.ts";
import type { Moment } from "./moment.ts";

const START = unixMs(1_767_625_200_000);
const BASE: Readonly<Record<string, number>> = {
  BTCUSD: 50_000,
  ETHUSD: 2_500,
  SLIPUSD: 20,
  EURUSD: 1.1,
  USDJPY: 150,
  XAUUSD: 2_000,
};
const PAIRS = Object.keys(BASE).map(pairId);
/** Limits so wide that a run goes on for long. */
const WIDE = {
  ...TERMS,
  challenge: { profitTargetPct: null, dailyLossPct: percent(60), maxLossPct: percent(60) },
};
/** Every cap but the pairs' own out of the way. */
const VAST = leverage(1_000_000);
const UNCAPPED = {
  ...WIDE,
  portfolioCap: VAST,
  classCaps: { ...TERMS.classCaps, crypto: VAST },
};

const pairs = fc.constantFrom(...PAIRS);
const directions = fc.constantFrom<Direction>("long", "short");
const sizes: fc.Arbitrary<Size> = fc.oneof(
  fc.integer({ min: 1, max: 300 }).map((share): Size => {
    return { kind: "leverage", leverage: leverage(share / 100) };
  }),
  fc
    .integer({ min: 5, max: 300_000 })
    .map((usd): Size => ({ kind: "value", value: roundUsd(usd) })),
  fc
    .double({ min: 0.00001, max: 5, noNaN: true })
    .map((lots): Size => ({ kind: "quantity", lots })),
);
const legSizes: fc.Arbitrary<LegSize | null> = fc.oneof(
  fc.constant(null),
  sizes,
  fc.constantFrom(0.25, 0.5, 1).map((share): LegSize => {
    return { kind: "bracketPct", ratio: ratio(share) };
  }),
);
const far = fc.integer({ min: 2, max: 50 }).map((share) => share / 1_000);
const distances = fc.option(far, { nil: null });

/** A step names prices as shares of the quote; they become prices when it is its turn. */
const steps = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant("quote"), pair: pairs, move: moves(0.04) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("market", "limit", "stopLimit"),
      pair: pairs,
      direction: directions,
      size: sizes,
      at: moves(0.02),
      legs: fc.array(
        fc.record({ stop: distances, target: distances, trail: distances, size: legSizes }),
        { maxLength: 3 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("bracket"),
      pair: pairs,
      legs: fc.array(
        fc.record({ stop: distances, target: distances, trail: distances, size: legSizes }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("flat", "cancelPair"), pair: pairs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("flatten", "cancelAll", "midnight") }) },
);
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

function moves(most: number): fc.Arbitrary<number> {
  return fc.integer({ min: -most * 1_000, max: most * 1_000 }).map((share) => share / 1_000);
}

describe("whatever is ordered, over whatever prices", () => {
  test("the ledger, the positions and the journal agree [D4.balance] [D4.equity] [D5.neverFlips]", () => {
    const property = fc.property(
      fc.array(steps, { minLength: 20, maxLength: 80, size: "max" }),
      fc.constantFrom(WIDE, TERMS),
      (run, terms) => {
        const world = new World(terms);
        for (const step of run) world.take(step);
      },
    );
    fc.assert(property, { numRuns: 300, seed: 20_260_105 });
  });

  test("parts of an exit earn what the whole would, within rounding [D4.pnlRate]", () => {
    const parts = fc.array(fc.integer({ min: 1_000, max: 300_000 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(parts, moves(0.04), directions, (sold, move, direction) => {
        const total = sold.reduce((sum, part) => sum + part, 0);
        const whole = exitPnl([total], move, direction);
        expect(Math.abs(exitPnl(sold, move, direction) - whole)).toBeLessThanOrEqual(sold.length);
      }),
      { numRuns: 200, seed: 20_260_105 },
    );
  });
});

/** Opens the sum of the parts, moves the price, sells part by part; realized, in micro dollars. */
function exitPnl(parts: readonly number[], move: number, direction: Direction): number {
  const world = new World(UNCAPPED);
  const pair = pairId("ETHUSD");
  const total = parts.reduce((sum, part) => sum + part, 0);
  const order = { type: "placeMarket", pair, legs: [] } as const;
  const lotsOf = (size: number): Size => ({ kind: "quantity", lots: size / 100_000 });
  world.submit({ ...order, orderUuid: orderUuid("in"), direction, size: lotsOf(total) });
  world.move(pair, move);
  for (const [index, part] of parts.entries()) {
    const back = direction === "long" ? "short" : "long";
    const uuid = orderUuid(`out-${index}`);
    world.submit({ ...order, orderUuid: uuid, direction: back, size: lotsOf(part) });
  }
  expect(world.state.positions).toEqual([]);
  return world.state.realized;
}

class World {
  state: AccountState;
  #now: UnixMs = START;
  #orders = 0;
  readonly #quotes = new Map<PairId, Quote>();
  readonly #journal: Event[] = [];

  constructor(terms: Terms) {
    for (const pair of PAIRS) this.#quote(pair, BASE[pair] ?? 1);
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    const opened = decide(
      null,
      { type: "openAccount", ...ids, terms, provisioned: true },
      this.#moment(),
    );
    if (!opened.ok) throw new Error("an account opens");
    this.#journal.push(...opened.value);
    this.state = opened.value.reduce<AccountState | null>(evolve, null) as AccountState;
  }

  take(step: Step): void {
    this.#now = unixMs(this.#now + 1_000);
    if ("move" in step) {
      this.move(step.pair, step.move);
      this.submit({ type: "settlePrices" });
      this.#expectSettled();
      return;
    }
    if (step.do === "midnight") this.#now = unixMs(this.#now + 86_400_000);
    for (const [pair, { bid }] of this.#quotes) this.#quote(pair, bid);
    this.submit(this.#commandOf(step));
  }

  move(pair: PairId, by: number): void {
    const bid = this.#quotes.get(pair)?.bid ?? 1;
    this.#quote(pair, bid * (1 + by));
  }

  submit(command: Command): void {
    const before = this.state;
    const moment = this.#moment();
    const decision = decide(before, command, moment);
    expect(this.state).toBe(before);
    if (!decision.ok) {
      expect(decision.refusal.code).not.toBe("accountNotReady");
      return;
    }
    for (const event of decision.value) {
      if (event.type === "orderFilled") expectFill(this.state, event, moment);
      this.state = evolve(this.state, event);
    }
    this.#journal.push(...decision.value);
    expectLives(this.#journal);
    this.#expectAlgebra();
  }

  #expectAlgebra(): void {
    const { state } = this;
    const fills = this.#journal.filter((event) => event.type === "orderFilled");
    const realized = fills.reduce((sum, fill) => sum + fill.realizedPnl, 0);
    const fees = fills.reduce((sum, fill) => sum + fill.fee, 0);
    expect(balanceOf(state)).toBe(state.terms.size + realized - fees);

    const open = state.positions.map((one) => positionValueOf(one, this.#moment()));
    const openPnl = open.reduce((sum, value) => sum + (value?.unrealizedPnl ?? Number.NaN), 0);
    const equity = equityOf(state, this.#moment());
    expect(equity.ok && equity.value).toBe(balanceOf(state) + openPnl);

    for (const position of state.positions) {
      expect(position.quantity).toBeGreaterThan(0);
      expect(position.openedQuantity - position.exitQuantity).toBe(position.quantity);
    }
    const held = new Set(state.positions.map(({ uuid }) => uuid));
    expect(held.size).toBe(new Set(state.positions.map(({ pair }) => pair)).size);
    for (const order of state.orders) {
      if (order.kind === "bracket") expect(held.has(order.positionUuid)).toBe(true);
    }
    expect(this.#journal.reduce<AccountState | null>(evolve, null)).toEqual(state);
  }

  /** The same prices a second time do nothing. */
  #expectSettled(): void {
    const again = decide(this.state, { type: "settlePrices" }, this.#moment());
    expect(again).toEqual({ ok: true, value: [] });
  }

  #commandOf(step: Exclude<Step, { readonly move: number }>): Command {
    this.#orders += 1;
    const uuid = orderUuid(`o${this.#orders}`);
    if ("size" in step) return this.#entryOf(step, uuid);
    if ("legs" in step) {
      const open = this.state.positions.find(({ pair }) => pair === step.pair);
      const bid = this.#quotes.get(step.pair)?.bid ?? price(1);
      const legs = step.legs.map((leg) => legOf(leg, bid, open?.direction ?? "long"));
      return { type: "placeBracket", orderUuid: uuid, pair: step.pair, legs };
    }
    if ("pair" in step) {
      return step.do === "flat"
        ? { type: "closePair", orderUuid: uuid, pair: step.pair }
        : { type: "cancelOrders", target: "all", pair: step.pair };
    }
    if (step.do === "midnight") return { type: "passTime" };
    return step.do === "flatten"
      ? { type: "flatten", target: "all" }
      : { type: "cancelOrders", target: "all", pair: null };
  }

  #entryOf(step: Extract<Step, { readonly size: Size }>, uuid: OrderUuid): Command {
    const { pair, direction, size } = step;
    const quote = this.#quotes.get(pair);
    const at = price((quote?.bid ?? 1) * (1 + step.at));
    const entry = step.do === "market" ? (quote?.ask ?? at) : at;
    const legs = step.legs.map((leg) => legOf(leg, entry, direction));
    const order = { orderUuid: uuid, pair, direction, size, legs };
    if (step.do === "market") return { type: "placeMarket", ...order };
    if (step.do === "limit") return { type: "placeLimit", ...order, limitPrice: at };
    const stop = { stopPrice: at, stopCondition: direction === "long" ? "gte" : "lte" } as const;
    return { type: "placeStopLimit", ...order, limitPrice: at, ...stop };
  }

  #quote(pair: PairId, bid: number): void {
    const ask = price(bid * 1.0001);
    this.#quotes.set(pair, { pair, bid: price(bid), ask, atMs: this.#now });
  }

  #moment(): Moment {
    return { now: this.#now, quotes: this.#quotes, instruments: CATALOGUE };
  }
}

interface LegStep {
  readonly stop: number | null;
  readonly target: number | null;
  readonly trail: number | null;
  readonly size: LegSize | null;
}

function legOf(step: LegStep, entry: number, direction: Direction): LegRequest {
  const sign = direction === "long" ? 1 : -1;
  const { stop, target, trail, size } = step;
  return {
    stopLoss: stop === null ? null : price(entry * (1 - sign * stop)),
    takeProfit: target === null ? null : price(entry * (1 + sign * target)),
    trailing: trail === null ? null : { kind: "percent", ratio: ratio(trail) },
    size,
  };
}

/** Every order lives by the table of transitions, and nothing happens to one that has ended. */
function expectLives(journal: readonly Event[]): void {
  const lives = new Map<OrderUuid, OrderStatus>();
  for (const event of journal) {
    for (const uuid of ordersOf(event)) {
      const from = lives.get(uuid) ?? "new";
      const move = ORDER_TRANSITIONS.find((row) => row.from === from && row.by === event.type);
      expect(move, `${uuid} is ${from} and then ${event.type}`).toBeDefined();
      if (move !== undefined) lives.set(uuid, move.to);
    }
  }
}

function ordersOf(event: Event): readonly OrderUuid[] {
  if ("orderUuid" in event) return [event.orderUuid];
  if ("order" in event) return [event.order.uuid];
  return event.type === "legsAttached" ? event.legs.map(({ uuid }) => uuid) : [];
}

/** A fill keeps its position's direction; one that opens or adds stays within every cap. */
function expectFill(state: AccountState, fill: OrderFilled, moment: Moment): void {
  const position = state.positions.find(({ pair }) => pair === fill.pair);
  if (fill.effect === "reduce" || fill.effect === "close") {
    expect(position?.direction).not.toBe(fill.direction);
    expect(fill.quantity).toBeLessThanOrEqual(position?.quantity ?? 0);
    return;
  }
  expect(position?.direction ?? fill.direction).toBe(fill.direction);
  expect(fill.realizedPnl).toBe(0);
  const instrument = CATALOGUE.get(fill.pair);
  const exposure = (covers: (pair: PairId) => boolean): number =>
    state.positions
      .filter(({ pair }) => covers(pair))
      .reduce((sum, one) => sum + Math.abs(positionValueOf(one, moment)?.netValue ?? 0), 0);
  const { terms } = state;
  const caps = [
    { cap: instrument?.leverageCaps[terms.tier], held: exposure((pair) => pair === fill.pair) },
    {
      cap: terms.classCaps[instrument?.assetClass ?? "crypto"],
      held: exposure((pair) => CATALOGUE.get(pair)?.assetClass === instrument?.assetClass),
    },
    { cap: terms.portfolioCap, held: exposure(() => true) },
  ];
  for (const { cap, held } of caps) {
    // One micro dollar for the rounding of the value itself.
    expect(held + fill.value).toBeLessThanOrEqual((cap ?? 0) * balanceOf(state) + 1);
  }
}
