/** Plays the steps on one account, and compares the network with the reference and with the promises to the trader. */

import { evolve } from "../../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, type PairId, pairId, positionUuid } from "../../ids.ts";
import type { Quote } from "../../market/quote.ts";
import { decide } from "../../network/decide.ts";
import { earliestDueMs } from "../../network/pass-time.ts";
import type { AccountState } from "../../state/account.ts";
import type { Command, EditOrder } from "../../state/command.ts";
import type { Event } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { BracketLeg, Direction, EntryOrder, LegRequest } from "../../state/order.ts";
import type { Terms } from "../../state/terms.ts";
import { percent, price, ratio, type UnixMs, unixMs } from "../../units.ts";
import { BestPriceTracker } from "../best-price-tracker.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../catalogue.ts";
import { LedgerModel } from "../lives/ledger-model.ts";
import { LifeTally } from "../lives/life-tally.ts";
import { OrderModel } from "../lives/order-model.ts";
import { ExitPromises } from "./exit-promises.ts";
import type { EditPlay, EntryPlay, LegPlay, PlayStep } from "./order-plays.ts";
import { OrderReference } from "./order-reference.ts";

/** Tuesday, 2026-01-06 at 15:00 UTC, when the markets of both pairs stay open for hours. */
const START_MS = 1_767_711_600_000;
const STEP_MS = 1_000;
const PAIRS = [
  { pair: pairId("BTCUSD"), start: 50_000, rung: 500 },
  { pair: pairId("EURUSD"), start: 1.1, rung: 0.005 },
] as const;
const RUNGS_MAX = 20;

/** The terms of a play: wide limits and no target, so that it tests orders only. */
export function playTerms(given: Pick<Terms, "size" | "mostRestingOrders">): Terms {
  const phase = { profitTargetPct: null, dailyLossPct: percent(99), maxLossPct: percent(99) };
  return { ...CLASSIC_TERMS, ...given, challenge: phase, funded: phase };
}

/** One account that carries out the steps of a play. */
export class OrderPlay {
  readonly tally: LifeTally;
  readonly #reference = new OrderReference();
  readonly #promises = new ExitPromises();
  readonly #ledger = new LedgerModel();
  readonly #orders = new OrderModel();
  readonly #quotes = new Map<PairId, Quote>();
  readonly #bests = new BestPriceTracker();
  readonly #gone: string[] = [];
  #rungs: readonly [number, number] = [0, 0];
  #now: UnixMs = unixMs(START_MS);
  #steps = 0;
  #state: AccountState | null = null;

  constructor(terms: Terms, tally = new LifeTally()) {
    this.tally = tally;
    for (const index of [0, 1]) this.#quote(index, 0, 0);
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    this.#submit({ type: "openAccount", ...ids, terms, provisioned: true });
  }

  take(play: PlayStep): void {
    this.#steps += 1;
    this.#now = unixMs(this.#now + STEP_MS);
    if (play.do === "quote") this.#quote(play.pair, play.rungs, play.spread);
    // Before every step that sends no quote, all quotes are refreshed. A `settle` step happens at the old quotes, and a
    // flattening step may leave the quote of one pair stale.
    else if (play.do !== "settle") this.#refresh(play.do === "flatten" ? play.stalePair : null);
    const command = this.#commandOf(play);
    if (command !== null) this.#submit(command);
  }

  #moment(): Moment {
    return {
      now: this.#now,
      quotes: new Map(this.#quotes),
      instruments: TEST_CATALOGUE,
      bests: this.#bests.bests,
    };
  }

  #submit(command: Command): void {
    const moment = this.#moment();
    const before = this.#state;
    this.#reference.begin(command, moment);
    const decided = decide(before, command, moment);
    if (!decided.ok) {
      this.tally.addRefusal(decided.refusal);
      const dueMs = before === null ? null : earliestDueMs(before, TEST_CATALOGUE);
      const hasDueWork = dueMs !== null && dueMs <= moment.now;
      if (before !== null) this.#reference.checkRefusal(before, decided.refusal, hasDueWork);
      return;
    }
    this.tally.addCommand(command);
    this.#follow(decided.value, { command, moment });
  }

  #follow(
    events: readonly Event[],
    { command, moment }: { readonly command: Command; readonly moment: Moment },
  ): void {
    for (const [index, event] of events.entries()) {
      const before = this.#state;
      const after = evolve(before, event);
      const applied = { event, before, after, moment, next: events[index + 1] ?? null };
      this.tally.addEvent(event);
      this.#reference.take(applied);
      this.#promises.take(event, TEST_CATALOGUE);
      this.#ledger.take(applied);
      this.#orders.take(applied);
      if (event.type === "orderFilled" || event.type === "orderCancelled") {
        this.#gone.push(event.orderUuid);
      }
      this.#state = after;
    }
    if (this.#state === null) return;
    this.#bests.observe(this.#state, moment);
    if (command.type === "settlePrices") this.#bests.observeQuotes(this.#state, moment);
    this.#reference.end(this.#bests.accountWithBests(this.#state, moment));
    this.#ledger.check(this.#state, moment);
    this.#orders.check(this.#state);
  }

  #quote(index: number, rungs: number, spread: number): void {
    const market = marketAt(index);
    const [first, second] = this.#rungs;
    const moved = clamp((index === 0 ? first : second) + rungs);
    this.#rungs = index === 0 ? [moved, second] : [first, moved];
    const bid = this.#priceAt(index, 0);
    const ask = Number((bid * (1 + spread)).toPrecision(10));
    const quote = { pair: market.pair, bid: price(bid), ask: price(ask), atMs: this.#now };
    this.#quotes.set(market.pair, quote);
  }

  #refresh(stalePair: number | null): void {
    for (const [pair, quote] of this.#quotes) {
      const isStale = stalePair !== null && marketAt(stalePair).pair === pair;
      const atMs = isStale ? unixMs(this.#now - 61_000) : this.#now;
      this.#quotes.set(pair, { ...quote, atMs });
    }
  }

  #priceAt(index: number, rungs: number): number {
    const { start, rung } = marketAt(index);
    const at = (this.#rungs[index === 0 ? 0 : 1] ?? 0) + rungs;
    return Number((start + rung * at).toPrecision(10));
  }

  #commandOf(play: PlayStep): Command | null {
    const uuid = orderUuid(`o${this.#steps}`);
    const state = this.#state;
    if (state === null) return null;
    switch (play.do) {
      case "quote":
      case "settle":
        return { type: "settlePrices" };
      case "market":
      case "limit":
      case "stopLimit":
        return this.#entry(play);
      case "bracket": {
        const { pair } = marketAt(play.pair);
        const held = state.positions.find((one) => one.pair === pair);
        const legs = play.legs.map((leg) =>
          this.#leg(leg, play.pair, { direction: held?.direction ?? "long", rungs: 0 }),
        );
        return { type: "placeBracket", orderUuid: uuid, pair, legs };
      }
      case "edit":
        return this.#edit(play, state);
      case "cancel": {
        const some = pickedOf(state.orders, play.picks).map((one) => one.uuid);
        const isAll = play.picks === "all" || (some.length === 0 && !play.hasGone);
        const pair = play.isPair ? marketAt(0).pair : null;
        if (isAll) return { type: "cancelOrders", target: "all", pair };
        const target = [...some, ...this.#goneIds(play.hasGone)].map(orderUuid);
        return { type: "cancelOrders", target, pair: null };
      }
      case "flat":
        return { type: "closePair", orderUuid: uuid, pair: marketAt(play.pair).pair };
      case "flatten": {
        const some = pickedOf(state.positions, play.picks).map((one) => one.uuid);
        const isAll = play.picks === "all" || (some.length === 0 && !play.hasGone);
        const pair = play.pair === null || !isAll ? null : marketAt(play.pair).pair;
        const target = isAll
          ? ("all" as const)
          : [...some, ...this.#goneIds(play.hasGone)].map(positionUuid);
        return { type: "flatten", target, pair };
      }
    }
  }

  #goneIds(isIncluded: boolean): readonly string[] {
    return isIncluded ? [this.#gone.at(-1) ?? "unknown"] : [];
  }

  #entry(play: EntryPlay): Command {
    const { direction, size } = play;
    const rungs = play.do === "market" ? 0 : play.rungs;
    const legs = play.legs.map((leg) => this.#leg(leg, play.pair, { direction, rungs }));
    const { pair } = marketAt(play.pair);
    const held = this.#state?.positions.find((one) => one.pair === pair);
    const isExit = held !== undefined && held.direction !== direction;
    const order = {
      orderUuid: orderUuid(`o${this.#steps}`),
      pair,
      direction,
      size,
      reduceOnly: play.isReduceOnly && (isExit || play.rungs === 3),
      // Most exits have no legs, because legs on an exit are refused.
      legs: isExit && play.rungs !== 3 ? [] : legs,
    };
    if (play.do === "market") return { type: "placeMarket", ...order };
    const limit = { ...order, limitPrice: price(this.#priceAt(play.pair, rungs)) };
    if (play.do === "limit") return { type: "placeLimit", ...limit };
    const stopPrice = price(this.#priceAt(play.pair, play.stopRungs));
    const stopCondition = play.stopRungs > 0 ? ("gte" as const) : ("lte" as const);
    return { type: "placeStopLimit", ...limit, stopPrice, stopCondition };
  }

  #leg(
    leg: LegPlay,
    index: number,
    { direction, rungs }: { readonly direction: Direction; readonly rungs: number },
  ): LegRequest {
    const up = direction === "long" ? 1 : -1;
    const at = (away: number): LegRequest["stopLoss"] =>
      price(this.#priceAt(index, rungs + up * away));
    const { rung } = marketAt(index);
    const trailing: LegRequest["trailing"] =
      leg.trail === null
        ? null
        : leg.trail.kind === "percent"
          ? { kind: "percent", ratio: ratio(leg.trail.rungs / 100) }
          : { kind: "value", value: leg.trail.rungs * rung };
    const isEmpty = leg.stop === null && leg.target === null && trailing === null;
    return {
      stopLoss: leg.stop === null ? null : at(-leg.stop),
      takeProfit: leg.target === null ? (isEmpty ? at(2) : null) : at(leg.target),
      trailing,
      size: leg.size,
    };
  }

  #edit(play: EditPlay, { orders }: AccountState): Command | null {
    const order = orders[play.pick % Math.max(1, orders.length)];
    if (order === undefined) return null;
    const index = PAIRS.findIndex(({ pair }) => pair === order.pair);
    const replacement =
      order.kind === "bracket"
        ? this.#editedLeg(play, order, index)
        : this.#editedEntry(play, order, index);
    return { type: "editOrder", replacement };
  }

  #editedLeg(play: EditPlay, leg: BracketLeg, index: number): EditOrder["replacement"] {
    const drawn = this.#leg(play.leg, index, { direction: leg.direction, rungs: 0 });
    const changed = (field: EditPlay["changes"][number]): boolean => play.changes.includes(field);
    const { uuid, pair, stopLoss, takeProfit, trailing, size } = leg;
    return {
      type: "editLeg",
      orderUuid: uuid,
      pair,
      leg: {
        stopLoss: changed("price") ? drawn.stopLoss : stopLoss,
        takeProfit: changed("price") ? (drawn.takeProfit ?? takeProfit) : takeProfit,
        trailing: changed("trail") ? drawn.trailing : trailing,
        size: changed("size") ? drawn.size : size,
      },
    };
  }

  #editedEntry(play: EditPlay, order: EntryOrder, index: number): EditOrder["replacement"] {
    const changed = (field: EditPlay["changes"][number]): boolean => play.changes.includes(field);
    const { uuid, pair } = order;
    const direction = changed("direction") ? opposite(order.direction) : order.direction;
    const drawn = this.#leg(play.leg, index, { direction, rungs: play.rungs });
    const replaced = {
      orderUuid: uuid,
      pair,
      direction,
      size: changed("size") ? play.size : order.size,
      limitPrice: changed("price") ? price(this.#priceAt(index, play.rungs)) : order.limitPrice,
      legs: changed("legs")
        ? Array.from({ length: 1 + (play.pick % 10) }, () => drawn)
        : order.legs,
      reduceOnly: changed("reduceOnly") ? !order.reduceOnly : order.reduceOnly,
    };
    if (order.kind === "limit") return { type: "placeLimit", ...replaced };
    const { stopPrice, stopCondition } = order;
    return { type: "placeStopLimit", ...replaced, stopPrice, stopCondition };
  }
}

function marketAt(index: number): (typeof PAIRS)[number] {
  return index === 0 ? PAIRS[0] : PAIRS[1];
}

function clamp(rungs: number): number {
  return Math.max(-RUNGS_MAX, Math.min(RUNGS_MAX, rungs));
}

function opposite(direction: Direction): Direction {
  return direction === "long" ? "short" : "long";
}

function pickedOf<One>(list: readonly One[], picks: readonly number[] | "all"): readonly One[] {
  if (picks === "all" || list.length === 0) return [];
  const chosen = new Set(picks.map((pick) => pick % list.length));
  return list.filter((_, index) => chosen.has(index));
}
