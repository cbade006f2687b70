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
  /** Symbols that show which kinds of markets must be loaded. */
  readonly symbols: readonly string[];
}

/**
 * Loads the active spot markets and linear perpetual contracts of a venue, in the venue's order. It needs no API keys.
 * Throws a `CannotStart` without ccxt, for an unknown venue, when the venue does not answer, and when it lists no
 * market.
 */
export async function readCcxtMarkets(
  options: CcxtMarketsOptions,
): Promise<readonly VenueMarket[]> {
  const { venue, origin, symbols } = options;
  const make = (await loadCcxt()).get(venue);
  if (make === undefined) throw new CannotStart(`ccxt has no venue "${venue}"`);
  const late = new AbortController();
  const cancel = systemTimer.after(LOAD_MS, () => late.abort());
  const exchange = openExchange({ venue, make, origin, symbols, signal: late.signal });
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
 * A market as the import needs it; empty for an inactive market, another kind of market, and one without usable names.
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

/** The step that a precision of the venue means; null when the venue states none. */
function stepOf({ precisionMode }: Exchange, precision: number | undefined): number | null {
  if (precision === undefined || !Number.isFinite(precision)) return null;
  if (precisionMode === DECIMAL_PLACES) return Number(`1e${-precision}`);
  return precisionMode === TICK_SIZE && precision > 0 ? precision : null;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 200);
}
