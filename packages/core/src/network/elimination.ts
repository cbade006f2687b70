import type { Elimination } from "../account/account.ts";
import { assert } from "../assert.ts";
import type { Instrument } from "../market/instrument.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { markOf } from "../market/mark.ts";
import { usdRateAt } from "../market/valuation.ts";
import { exitUuid } from "../orders/flatten.ts";
import { exitPosition } from "../positions/exit.ts";
import type { Position } from "../positions/position.ts";
import { eliminationBy } from "../rules/elimination.ts";
import { firstBreach } from "../rules/registry.ts";
import { dollars, type Price, ratio } from "../units.ts";
import type { Draft } from "./draft.ts";

/** Closes everything, cancels what rests, and records the end once and for ever. @rule D7.breach */
export function eliminate(draft: Draft, elimination: Elimination): void {
  endTrading(draft, "elimination");
  draft.record({ type: "accountEliminated", elimination });
}

/** Every position at the market, a closed market at its last quote; then every order. */
export function endTrading(draft: Draft, kind: "elimination" | "flatten"): void {
  for (const position of draft.state.positions) {
    const instrument = draft.moment.instruments.get(position.pair);
    assert(instrument !== undefined, `a catalogue that still knows ${position.pair}`);
    const { quantity } = position;
    const exit = { orderUuid: exitUuid(position.uuid, kind), kind, position, quantity };
    const at = lastPrice(draft, position, instrument);
    exitPosition(draft, { ...exit, ...at, instrument, slippage: ratio(0) });
  }
  for (const { uuid } of draft.state.orders) {
    draft.record({ type: "orderCancelled", orderUuid: uuid, reason: "accountEnded", detail: null });
  }
}

interface LastPrice {
  readonly price: Price;
  readonly usdRate: number;
}

/** A pair whose quote is lost was last seen at its own entry. */
function lastPrice(draft: Draft, position: Position, instrument: Instrument): LastPrice {
  const quote = draft.moment.quotes.get(position.pair);
  const price =
    quote === undefined ? position.averageEntryPrice : markOf(position.direction, quote);
  const usdRate = usdRateAt(instrument, price, draft.moment) ?? entryRate(position, instrument);
  return { price, usdRate };
}

function entryRate(position: Position, instrument: Instrument): number {
  const inQuoteCurrency = position.averageEntryPrice * baseUnits(instrument, position.quantity);
  return dollars(position.entryValue) / inQuoteCurrency;
}

/** Reads the live limits at the marks; an account whose equity is not known yet is left alone. @rule D7.breach */
export function endOnBreach(draft: Draft): void {
  if (draft.state.status !== "active") return;
  const breach = firstBreach(draft.state, draft.moment);
  if (!breach.ok || breach.value === null) return;
  eliminate(draft, eliminationBy(draft.state, breach.value, draft.moment.now));
}
