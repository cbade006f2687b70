import { CannotStart, systemTimer } from "@propgate/base";
import type { Exchange, MarketInterface } from "ccxt";
import { loadCcxt } from "../../prices/venues/ccxt/ccxt-library.ts";
import { openExchange } from "../../prices/venues/ccxt/open-exchange.ts";
import { kindOfSymbol, type VenueMarket } from "./venue-market.ts";

const LOAD_MS = 60_000;

export interface CcxtMarketsOptions {
  /** The id of the venue in ccxt. */
  readonly venue: string;
  /** The origin that replaces the venue's own in its addresses; null keeps the venue's own. */
  readonly origin: string | null;
  /** The symbols and pairs that the import needs. They decide which kinds of markets are loaded. */
  readonly symbols: readonly string[];
}

/**
 * Loads the active spot markets and linear perpetual contracts of a venue, in the venue's order. It needs no API keys.
 * Throws a `CannotStart` when ccxt is not installed, when ccxt does not know the venue, and when the venue does not
 * answer or lists no market.
 */
export async function readCcxtMarkets(
  options: CcxtMarketsOptions,
): Promise<readonly VenueMarket[]> {
  const { venue, origin, symbols } = options;
  const makeExchange = (await loadCcxt()).get(venue);
  if (makeExchange === undefined) throw new CannotStart(`ccxt has no venue "${venue}"`);
  const late = new AbortController();
  const cancel = systemTimer.after(LOAD_MS, () => late.abort());
  const exchange = openExchange({
    venue,
    make: makeExchange,
    origin,
    symbols,
    signal: late.signal,
  });
  try {
    await exchange.loadMarkets();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`the markets of ${venue} cannot be read: ${firstLine(reason)}`, {
      cause,
    });
  } finally {
    cancel();
    await exchange.close();
  }
  const markets = Object.values(exchange.markets ?? {}).flatMap((one) => marketOf(exchange, one));
  if (markets.length === 0) throw new CannotStart(`${venue} lists no markets`);
  return markets;
}

/**
 * Converts a market of ccxt to the form that the import needs. Returns an empty list for a market that is inactive, is
 * neither spot nor a linear perpetual contract, or lacks a usable symbol or currency name.
 */
function marketOf(exchange: Exchange, market: MarketInterface): readonly VenueMarket[] {
  const isKnown = market.spot === true || (market.swap === true && market.linear === true);
  if (!isKnown || market.active === false) return [];
  const { symbol, base, quote, precision, contractSize } = market;
  const isNamed = [symbol, base, quote].every((one) =>
    /^[^/:]+([/:][^/:]+)*$/.test(String(one ?? "")),
  );
  if (!isNamed) return [];
  const contracts = stepOf(exchange, precision.amount);
  const units = market.spot === true ? 1 : (contractSize ?? 1);
  return [
    {
      symbol,
      base,
      quote,
      kind: kindOfSymbol(symbol),
      tick: stepOf(exchange, precision.price),
      sizeStep: contracts === null ? null : Number((contracts * units).toPrecision(12)),
    },
  ];
}

/**
 * The values of ccxt's `precisionMode` that give a step: the precision is a number of decimal places, or the step
 * itself. The third mode, significant digits, gives no step.
 */
const DECIMAL_PLACES = 2;
const TICK_SIZE = 4;

/** Converts a precision of the venue to a step; null when the precision is absent or gives no step. */
function stepOf({ precisionMode }: Exchange, precision: number | undefined): number | null {
  if (precision === undefined || !Number.isFinite(precision)) return null;
  if (precisionMode === DECIMAL_PLACES) return Number(`1e${-precision}`);
  return precisionMode === TICK_SIZE && precision > 0 ? precision : null;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 200);
}
