import { CannotStart, type Clock, type Settings, valueFor } from "@propgate/base";
import type { Instrument, Instruments, PairId } from "@propgate/core";
import type { FundingSource } from "../funding/funding-source.ts";
import { createCcxtFunding, HOURLY_VENUES } from "./ccxt/ccxt-funding.ts";
import { type CcxtVenues, loadCcxt } from "./ccxt/ccxt-library.ts";
import { createCcxtSource } from "./ccxt/ccxt-source.ts";
import { watchPlan } from "./ccxt/venue-habits.ts";
import type { ConnectionSurroundings } from "./connection.ts";
import { openAlpaca } from "./keyed/alpaca.ts";
import { openMassive } from "./keyed/massive.ts";
import { openOanda } from "./keyed/oanda.ts";
import { openTiingo } from "./keyed/tiingo.ts";
import type { LiveSource } from "./live-source.ts";
import { openPush } from "./push/open-push.ts";
import { CCXT_SYMBOL, symbolsAt, type VenueSymbols } from "./symbols.ts";

/** The settings, catalogue and time of all live sources. */
export interface LiveSurroundings extends ConnectionSurroundings {
  readonly settings: Settings;
  readonly instruments: Instruments;
  readonly symbols: VenueSymbols;
  readonly clock: Clock;
}

/** Adds the symbols of one source, and its address when a setting replaces it. Its instruments are those it prices. */
export interface SourceSurroundings extends LiveSurroundings {
  readonly symbolsHere: ReadonlyMap<PairId, string>;
  readonly origin: string | null;
}

type OpenSource = (around: SourceSurroundings) => Promise<LiveSource>;

/** The sources that are not venues of ccxt, by name. One without its key runs, but is down and says so. */
const OWN_SOURCES: Readonly<Record<string, OpenSource>> = {
  alpaca: openAlpaca,
  massive: openMassive,
  oanda: openOanda,
  push: openPush,
  tiingo: openTiingo,
};

/**
 * Opens a source by its name: one of our own, else a venue of ccxt. Opening reaches no network. Throws a `CannotStart`
 * that lists what exists for an unknown name.
 */
export async function openLiveSource(name: string, around: LiveSurroundings): Promise<LiveSource> {
  const origin = originOf(name, around);
  const planned = { ...around, origin, instruments: plannedInstruments(name, around) };
  const own = Object.hasOwn(OWN_SOURCES, name) ? OWN_SOURCES[name] : undefined;
  if (own !== undefined) {
    return await own({
      ...planned,
      symbolsHere: symbolsOf(planned.instruments, symbolsAt(around.symbols, name, null)),
    });
  }
  return openCcxtVenue(name, await loadCcxt(), {
    ...planned,
    symbolsHere: symbolsOf(planned.instruments, ccxtSymbols(name, planned)),
  });
}

/**
 * Opens the funding of a venue that settles every hour, for the pairs of perpetual futures there. Null when none of the
 * pairs is one, or the venue settles at other times. Reaches no network.
 */
export async function openFundingSource(
  name: string,
  pairs: readonly PairId[],
  around: LiveSurroundings,
): Promise<FundingSource | null> {
  const make = HOURLY_VENUES.includes(name) ? (await loadCcxt()).get(name) : undefined;
  if (make === undefined) return null;
  const known = [...ccxtSymbols(name, around)];
  // ccxt's symbols of futures name the currency that they settle in.
  const symbols = new Map(
    known.filter(([pair, symbol]) => pairs.includes(pair) && symbol.includes(":")),
  );
  if (symbols.size === 0) return null;
  return createCcxtFunding({ venue: name, make, symbols, origin: originOf(name, around) });
}

function originOf(name: string, { settings }: LiveSurroundings): string | null {
  return settings.priceUrls.find((one) => one.name === name)?.origin ?? null;
}

/**
 * The instruments that the plan gives to the source: it subscribes to no others, because plans of venues limit symbols
 * and markets.
 */
function plannedInstruments(
  name: string,
  { settings, instruments }: LiveSurroundings,
): Instruments {
  const { prices } = settings;
  if (prices === null) return instruments;
  const isPlanned = ({ id, assetClass }: Instrument): boolean =>
    (valueFor(prices, { names: [id], assetClass }) ?? []).includes(name);
  return new Map([...instruments].filter(([, instrument]) => isPlanned(instrument)));
}

function symbolsOf(
  instruments: Instruments,
  symbols: ReadonlyMap<PairId, string>,
): ReadonlyMap<PairId, string> {
  return new Map([...symbols].filter(([pair]) => instruments.has(pair)));
}

function openCcxtVenue(venue: string, venues: CcxtVenues, around: SourceSurroundings): LiveSource {
  const make = venues.get(venue);
  if (make === undefined) throw unknownSource(venue, venues);
  const plan = watchPlan(venue, new make({}).has);
  if (plan === null) {
    throw new CannotStart(`${venue} has no live bid and ask in this version of ccxt`);
  }
  const { symbolsHere: symbols, origin } = around;
  if (symbols.size === 0) throw new CannotStart(`no instrument has a symbol at ${venue}`);
  return createCcxtSource({ venue, make, plan, symbols, origin, around });
}

function unknownSource(name: string, venues: CcxtVenues): CannotStart {
  const names = [...Object.keys(OWN_SOURCES), ...venues.keys()].join(", ");
  return new CannotStart(`there is no price source "${name}"`, { fix: `Use one of: ${names}` });
}

/** The catalogue's symbols; a crypto pair without any symbol there is named by base and quote. */
function ccxtSymbols(
  venue: string,
  { symbols, instruments }: LiveSurroundings,
): ReadonlyMap<PairId, string> {
  const found = new Map(symbolsAt(symbols, venue, CCXT_SYMBOL));
  for (const { id, assetClass, base, quote } of instruments.values()) {
    const isNamed = symbols.has(id) && Object.keys(symbols.get(id) ?? {}).length > 0;
    if (!isNamed && assetClass === "crypto") found.set(id, `${base}/${quote}`);
  }
  return found;
}
