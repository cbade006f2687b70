/** Decisions read only published quotes, and every trigger that a published quote reached is carried out. */
import {
  type AccountId,
  type AccountState,
  decodeInputs,
  type PairId,
  type PendingOrder,
  type Price,
  type Quote,
  unixMs,
} from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import { type AnnouncedAction, announcedActions, quoteInEachScale } from "./announced-actions.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import { type PublishedQuotes, positionText } from "./published-quotes.ts";
import { liveQuote, ordersAwaitRate, reachedLevelOf } from "./reached-levels.ts";

/** Two prices that differ by a smaller share than this count as equal, because prices have twelve digits. */
const NOISE = 1e-11;

/** The states of the accounts at the last observation. */
interface EarlierStates {
  readonly at: Observation;
  readonly states: ReadonlyMap<AccountId, AccountState>;
}

/** Finds decisions at unpublished quotes, and pending orders that a published quote reached. @rule D5.triggers */
export class PublishedTriggers implements Checker {
  readonly name = "published triggers";
  readonly #journal: JournalReader;
  readonly #published: PublishedQuotes;
  #earlier: EarlierStates | null = null;

  constructor(journal: JournalReader, published: PublishedQuotes) {
    this.#journal = journal;
    this.#published = published;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    this.#published.addObserved(at);
    const { moved, accounts } = await this.#journal.news(at);
    const actions = await announcedActions(at);
    const invented = moved.flatMap(({ lines }) =>
      lines.flatMap((line) => this.#invented(line, actions)),
    );
    const states = new Map([...accounts].map(([id, { state }]) => [id, state]));
    const missed = [...states.values()].flatMap((state) => this.#missed(state, at));
    this.#earlier = { at, states };
    return [...invented, ...missed];
  }

  #invented(
    { inputs: text, command, accountId, seq }: JournalLine,
    actions: readonly AnnouncedAction[],
  ): readonly Finding[] {
    const inputs = text === null ? null : decodeInputs(text, command);
    return (inputs?.quotes ?? []).flatMap(({ quote, origin }) => {
      if (origin === null) return [];
      const published = this.#published.at(origin);
      if (published !== null && isFrom(published, quote, actions)) return [];
      const message = `line ${seq}, ${command}: ${quote.pair} ${quote.bid}/${quote.ask} was not published at ${positionText(origin)}`;
      return [{ checker: this.name, accountId, message }];
    });
  }

  /**
   * The findings about orders of the account that a quote since the last observation reached and that are still
   * pending. Faults and choices of price sources delay triggers, so only a time without them is judged.
   */
  #missed(state: AccountState, at: Observation): readonly Finding[] {
    const earlier = this.#earlier;
    if (earlier === null || !earlier.at.calm || !at.calm) return [];
    const lastTurn = Math.max(at.lastFaultTurn, at.lastChoiceTurn);
    if (lastTurn >= earlier.at.turn || state.status !== "active") return [];
    const before = earlier.states.get(state.accountId);
    return (before?.orders ?? []).flatMap((order) => {
      const now = state.orders.find(({ uuid }) => uuid === order.uuid);
      if (now === undefined || !isUnchanged(order, now)) return [];
      const problem = reachedSince(order, this.#published, at);
      if (problem === null) return [];
      return [{ checker: this.name, accountId: state.accountId, message: problem }];
    });
  }
}

/** True when the quote is the published one. A quote with `adjustedToMs` may be that quote in another scale. */
function isFrom(published: Quote, quote: Quote, actions: readonly AnnouncedAction[]): boolean {
  if (quote.adjustedToMs === undefined) return isSame(published, quote);
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= other * NOISE;
  return quoteInEachScale(published, actions).some(
    ({ bid, ask }) => isNear(bid, quote.bid) && isNear(ask, quote.ask),
  );
}

function isSame(one: Quote, other: Quote): boolean {
  return (
    one.pair === other.pair &&
    one.bid === other.bid &&
    one.ask === other.ask &&
    one.atMs === other.atMs
  );
}

/**
 * True when the order is as before and is not held until the next quote (D10.exitHeld). Only the best price of its
 * trailing stop may differ.
 */
function isUnchanged(before: PendingOrder, now: PendingOrder): boolean {
  if (now.kind !== "bracket" && now.heldAt !== undefined) return false;
  return JSON.stringify(withoutBest(before)) === JSON.stringify(withoutBest(now));
}

function withoutBest(order: PendingOrder): PendingOrder {
  return order.kind === "bracket" ? { ...order, bestPrice: null } : order;
}

/**
 * A sentence about the first quote since the last observation that reached the order; null when none did, and when the
 * order waits for a conversion rate.
 */
function reachedSince(
  order: PendingOrder,
  published: PublishedQuotes,
  at: Observation,
): string | null {
  let followed = order;
  for (const quote of published.news) {
    if (quote.pair !== order.pair) continue;
    const moment = { quotes: new Map([[quote.pair, quote]]), instruments: at.instruments };
    if (liveQuote(order.pair, { ...moment, now: unixMs(at.nowMs) }) === null) continue;
    const level = reachedLevelOf(followed, quote);
    const quoteOf = (pair: PairId) => published.lastOf(pair, quote);
    const rates = { quoteOf, instruments: at.instruments };
    // The decision on the order may come later than the quote, so the order may also wait for the rate of that later
    // time.
    const waits =
      order.kind !== "bracket" &&
      (ordersAwaitRate(order.pair, { ...rates, now: quote.receivedAtMs }) ||
        ordersAwaitRate(order.pair, { ...rates, now: unixMs(at.nowMs) }));
    if (waits) return null;
    if (level !== null) {
      return `${order.kind} ${order.uuid} on ${order.pair} is pending although ${quote.bid}/${quote.ask} at ${positionText(quote)} reached ${level}`;
    }
    followed = afterQuote(followed, quote);
  }
  return null;
}

/** The order after a quote that may be a better price for its trailing stop. */
function afterQuote(order: PendingOrder, { bid, ask }: Quote): PendingOrder {
  if (order.kind !== "bracket" || order.bestPrice === null) return order;
  const mark: Price = order.direction === "long" ? bid : ask;
  const isBetter = order.direction === "long" ? mark > order.bestPrice : mark < order.bestPrice;
  return isBetter ? { ...order, bestPrice: mark } : order;
}
