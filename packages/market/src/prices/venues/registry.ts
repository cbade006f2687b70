import { CannotStart, type Clock, type Settings, valueForPair } from "@propgate/base";
import type { Instrument, Instruments, PairId } from "@propgate/core";
import type { FundingSource } from "../funding/funding-source.ts";
import { createCcxtFunding, HOURLY_VENUES } from "./ccxt/ccxt-funding.ts";
import { type CcxtVenues, loadCcxt } from "./ccxt/ccxt-library.ts";
import { createCcxtSource } from "./ccxt/ccxt-source.ts";
import { watchPlan } from "./ccxt/venue-overrides.ts";
import type { ConnectionDependencies } from "./connection.ts";
import { openAlpaca } from "./keyed/alpaca.ts";
import { openMassive } from "./keyed/massive.ts";
import { openOanda } from "./keyed/oanda.ts";
import { openTiingo } from "./keyed/tiingo.ts";
import type { LiveSource } from "./live-source.ts";
import { openPush } from "./push/open-push.ts";
import { CCXT_SYMBOL, symbolsAt, type VenueSymbols } from "./symbols.ts";

/** The settings, catalogue and time that all live sources share. */
export interface LiveSourceDependencies extends ConnectionDependencies {
  readonly settings: Settings;
  readonly instruments: Instruments;
  readonly symbols: VenueSymbols;
  readonly clock: Clock;
}

/**
 * Everything that one source needs. `sourceSymbols` has the source's symbol of each pair. `origin` is the address that
 * a setting gives the source; null for the source's own. `instruments` has only those that the source must price.
 */
export interface OpenSourceDependencies extends LiveSourceDependencies {
  readonly sourceSymbols: ReadonlyMap<PairId, string>;
  readonly origin: string | null;
}

type OpenSource = (around: OpenSourceDependencies) => Promise<LiveSource>;

/**
 * The sources that are not venues of ccxt, by name. A source without its key can be opened, but stays down and reports
 * the reason.
 */
const OWN_SOURCES: Readonly<Record<string, OpenSource>> = {
  alpaca: openAlpaca,
  massive: openMassive,
  oanda: openOanda,
  push: openPush,
  tiingo: openTiingo,
};

/**
 * Opens a source by its name: one of `OWN_SOURCES`, else a venue of ccxt. Opening does not use the network. Throws a
 * `CannotStart` for an unknown name, which lists the known names, and for a source that cannot price any planned
 * instrument.
 */
export async function openLiveSource(
  name: string,
  around: LiveSourceDependencies,
): Promise<LiveSource> {
  const origin = originOf(name, around);
  const planned = { ...around, origin, instruments: plannedInstruments(name, around) };
  const own = Object.hasOwn(OWN_SOURCES, name) ? OWN_SOURCES[name] : undefined;
  if (own !== undefined) {
    return await own({
      ...planned,
      sourceSymbols: symbolsOf(planned.instruments, symbolsAt(around.symbols, name, null)),
    });
  }
  return openCcxtVenue(name, await loadCcxt(), {
    ...planned,
    sourceSymbols: symbolsOf(planned.instruments, ccxtSymbols(name, planned)),
  });
}

/**
 * Opens the source of funding rates at a venue that settles every hour, for those of the pairs that are perpetual
 * futures there. Null when there are none, or the venue settles at other times. Opening does not use the network.
 */
export async function openFundingSource(
  name: string,
  pairs: readonly PairId[],
  around: LiveSourceDependencies,
): Promise<FundingSource | null> {
  const make = HOURLY_VENUES.includes(name) ? (await loadCcxt()).get(name) : undefined;
  if (make === undefined) return null;
  const known = [...ccxtSymbols(name, around)];
  // ccxt's symbols of futures have a colon before the currency in which they settle.
  const symbols = new Map(
    known.filter(([pair, symbol]) => pairs.includes(pair) && symbol.includes(":")),
  );
  if (symbols.size === 0) return null;
  return createCcxtFunding({ venue: name, make, symbols, origin: originOf(name, around) });
}

/** The origin that a setting gives the source; null for the source's own. */
function originOf(name: string, { settings }: LiveSourceDependencies): string | null {
  return settings.priceUrls.find((one) => one.name === name)?.origin ?? null;
}

/**
 * The instruments whose plan names the source. The source subscribes to no others, because venues limit the symbols and
 * markets of a subscription plan.
 */
function plannedInstruments(
  name: string,
  { settings, instruments }: LiveSourceDependencies,
): Instruments {
  const { prices } = settings;
  if (prices === null) return instruments;
  const isPlanned = ({ id, assetClass }: Instrument): boolean =>
    (valueForPair(prices, { names: [id], assetClass }) ?? []).includes(name);
  return new Map([...instruments].filter(([, instrument]) => isPlanned(instrument)));
}

function symbolsOf(
  instruments: Instruments,
  symbols: ReadonlyMap<PairId, string>,
): ReadonlyMap<PairId, string> {
  return new Map([...symbols].filter(([pair]) => instruments.has(pair)));
}

function openCcxtVenue(
  venue: string,
  venues: CcxtVenues,
  around: OpenSourceDependencies,
): LiveSource {
  const make = venues.get(venue);
  if (make === undefined) throw unknownSource(venue, venues);
  const plan = watchPlan(venue, new make({}).has);
  if (plan === null) {
    throw new CannotStart(`${venue} has no live bid and ask in this version of ccxt`);
  }
  const { sourceSymbols: symbols, origin } = around;
  if (symbols.size === 0) throw new CannotStart(`no instrument has a symbol at ${venue}`);
  return createCcxtSource({ venue, make, plan, symbols, origin, around });
}

function unknownSource(name: string, venues: CcxtVenues): CannotStart {
  const names = [...Object.keys(OWN_SOURCES), ...venues.keys()].join(", ");
  return new CannotStart(`there is no price source "${name}"`, { fix: `Use one of: ${names}` });
}

/**
 * The symbols of pairs at a venue of ccxt, from the catalogue. A crypto pair for which the catalogue has no symbol at
 * any venue gets `BASE/QUOTE`. A crypto pair with symbols only at other venues is left out.
 */
function ccxtSymbols(
  venue: string,
  { symbols, instruments }: LiveSourceDependencies,
): ReadonlyMap<PairId, string> {
  const found = new Map(symbolsAt(symbols, venue, CCXT_SYMBOL));
  for (const { id, assetClass, base, quote } of instruments.values()) {
    const isNamed = symbols.has(id) && Object.keys(symbols.get(id) ?? {}).length > 0;
    if (!isNamed && assetClass === "crypto") found.set(id, `${base}/${quote}`);
  }
  return found;
}
