import { assert } from "../assert.ts";
import type { Instrument } from "../market/instrument.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { markOf } from "../market/mark.ts";
import { usdRateAt } from "../market/valuation.ts";
import type { Draft } from "../state/draft.ts";
import type { CancelReason, FillKind } from "../state/event.ts";
import type { Position } from "../state/position.ts";
import { dollars, type Price, ratio } from "../units.ts";
import { exitPosition, exitUuid } from "./exit.ts";

/** The reason why all trading of an account ends. */
type TradingEndKind = Extract<FillKind, "elimination" | "flatten" | "phaseEnd">;

const CANCEL_REASONS: Readonly<Record<TradingEndKind, CancelReason>> = {
  elimination: "accountEnded",
  flatten: "accountEnded",
  phaseEnd: "phaseEnded",
};

/**
 * Closes every position at its `lastPrice`, without slippage, then cancels every order. A position in a closed market
 * closes at the last quote.
 */
export function endTrading(draft: Draft, kind: TradingEndKind): void {
  for (const position of draft.state.positions) {
    const instrument = draft.moment.instruments.get(position.pair);
    assert(instrument !== undefined, `a catalogue with ${position.pair}`);
    const { quantity } = position;
    const exit = { orderUuid: exitUuid(position.uuid, kind), kind, position, quantity };
    const at = lastPrice(draft, position, instrument);
    exitPosition(draft, { ...exit, ...at, instrument, slippage: ratio(0) });
  }
  for (const { uuid } of draft.state.orders) {
    const reason = CANCEL_REASONS[kind];
    draft.record({ type: "orderCancelled", orderUuid: uuid, reason, detail: null });
  }
}

interface LastPrice {
  readonly price: Price;
  readonly usdRate: number;
}

/**
 * The mark of the position and its rate to USD. Without a quote the price is the average entry, and without a rate it
 * is the rate at entry.
 */
export function lastPrice(draft: Draft, position: Position, instrument: Instrument): LastPrice {
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
