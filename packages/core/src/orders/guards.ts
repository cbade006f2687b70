import type { AccountState } from "../account/account.ts";
import { assert } from "../assert.ts";
import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import type { Quote } from "../market/quote.ts";
import { isFresh, isOpen } from "../market/trading.ts";
import { usdRateAt } from "../market/valuation.ts";
import type { Draft } from "../network/draft.ts";
import type { Moment } from "../network/moment.ts";
import type { Refusal } from "../network/refusal.ts";
import type { Position } from "../positions/position.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Price } from "../units.ts";
import type { Direction } from "./order.ts";

/** A pair that can be traded now: its line of the catalogue, a live quote and its rate to USD. */
export interface Market {
  readonly instrument: Instrument;
  readonly quote: Quote;
  /** USD for one unit of the quote currency when the pair stands at this price. */
  readonly usdRateAt: (price: Price) => number;
}

// The guards stand in the order of `Refusal`, and every ladder climbs them in that order.

/** Null: the account trades. */
export function statusRefusal(state: AccountState): Refusal | null {
  switch (state.status) {
    case "provisioning":
      return { code: "accountNotReady" };
    case "eliminated":
      return { code: "accountEliminated" };
    case "closed":
      return { code: "accountClosed" };
    case "active":
      return null;
  }
}

/** A pair of the catalogue, blocked or not: enough to leave a position. */
export function knownPair(moment: Moment, pair: PairId): Result<Instrument, Refusal> {
  const instrument = moment.instruments.get(pair);
  return instrument === undefined ? refuse({ code: "unknownPair", pair }) : ok(instrument);
}

/** A pair that the account may enter. @rule D5.tradePair */
export function permittedPair(draft: Draft, pair: PairId): Result<Instrument, Refusal> {
  const known = knownPair(draft.moment, pair);
  if (!known.ok) return known;
  const refusal = pairRefusal(draft.state.terms, known.value);
  return refusal === null ? known : refuse(refusal);
}

/** Null: accounts on these terms may enter the pair, whenever its market is open. @rule D5.tradePair */
export function pairRefusal(
  { assetClass: accountClass }: Pick<AccountState["terms"], "assetClass">,
  { id: pair, blocked, assetClass }: Instrument,
): Refusal | null {
  if (blocked) return { code: "blockedPair", pair };
  return accountClass === "allMarkets" || accountClass === assetClass
    ? null
    : { code: "pairOutsideClass", pair, accountClass };
}

/** Market open, quote fresh, rate known. @rule D5.freshQuote */
export function liveMarket(moment: Moment, instrument: Instrument): Result<Market, Refusal> {
  const pair = instrument.id;
  if (!isOpen(instrument.session, moment.now)) return refuse({ code: "marketClosed", pair });
  const quote = moment.quotes.get(pair);
  if (quote === undefined || !isFresh(quote, instrument, moment.now)) {
    return refuse({ code: "noFreshQuote", pair });
  }
  const rateAt = (at: Price): number | null => usdRateAt(instrument, at, moment);
  if (rateAt(quote.bid) === null) {
    return refuse({ code: "noConversionRate", currency: instrument.quote });
  }
  return ok({ instrument, quote, usdRateAt: (at) => known(rateAt(at)) });
}

function known(rate: number | null): number {
  assert(rate !== null, "a rate that hangs on the quotes, not on the price");
  return rate;
}

/** Entries only: nothing delays the way out of a position. @rule D5.cooldown */
export function cooldownRefusal(draft: Draft, pair: PairId): Refusal | null {
  const last = draft.state.lastOrderAtMs[pair];
  if (last === undefined) return null;
  const waitMs = last + draft.state.terms.cooldownMs - draft.moment.now;
  return waitMs > 0 ? { code: "cooldown", pair, waitMs } : null;
}

/** Legs rest too, and count. @rule D5.resting */
export function restingRefusal(draft: Draft, more: number): Refusal | null {
  const most = draft.state.terms.mostRestingOrders;
  return draft.state.orders.length + more > most ? { code: "tooManyRestingOrders", most } : null;
}

/** While a standard account winds down for its pro account nothing is opened or added. @rule S2.1.1.phase */
export function transitionRefusal(
  { phase, positions }: Pick<AccountState, "phase" | "positions">,
  entry: { readonly pair: PairId; readonly direction: Direction },
): Refusal | null {
  return phase === "proTransition" && isEntry(entry, positions)
    ? { code: "proTransition", pair: entry.pair }
    : null;
}

/** Whether an order opens or adds: it does unless it goes against what is open on its pair. */
export function isEntry(
  { pair, direction }: { readonly pair: PairId; readonly direction: Direction },
  positions: readonly Position[],
): boolean {
  const position = positions.find((open) => open.pair === pair);
  return position === undefined || position.direction === direction;
}

export function openPositionOf(state: AccountState, pair: PairId): Position | null {
  return state.positions.find((position) => position.pair === pair) ?? null;
}
