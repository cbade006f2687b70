/** Proposes a catalogue with a venue's markets and steps. A person reviews it before a service starts with it. */
import { type Instrument, lots, pairKey } from "@propgate/core";
import { CCXT_SYMBOL } from "../../prices/venues/symbols.ts";
import type { Catalogue } from "../catalogue.ts";
import type { CatalogueDocument, EntryFields } from "./catalogue-document.ts";
import { makeEntry } from "./new-entry.ts";
import { gridOf, kindOfSymbol, type VenueMarket } from "./venue-market.ts";

/** One difference between the proposal and the present catalogue. */
export type CatalogueDifference =
  | {
      readonly what: "added";
      readonly pair: string;
      readonly symbol: string;
      readonly tick: number;
    }
  | {
      readonly what: "tick" | "grid";
      readonly pair: string;
      readonly symbol: string;
      readonly from: number;
      readonly to: number;
    }
  /** The catalogue names a market that the venue does not have. The proposal removes the name. */
  | { readonly what: "gone"; readonly pair: string; readonly symbol: string }
  /** A market, or a name from the list of pairs, that gets no entry. `why` is the reason. */
  | { readonly what: "leftOut"; readonly symbol: string; readonly why: string };

/** The proposed catalogue, and how it differs from the present one. */
export interface Proposal {
  readonly document: CatalogueDocument;
  readonly differences: readonly CatalogueDifference[];
}

/** The present catalogue, both as its JSON document and parsed. */
export interface PresentCatalogue {
  readonly document: CatalogueDocument;
  readonly catalogue: Catalogue;
}

/** Selects the markets to import: the venue, and which of its markets. */
export interface ImportSelection {
  readonly venue: string;
  /**
   * Symbols of the venue, or names of pairs. Null means every market quoted in US dollars that has the kind, spot or
   * perpetual, that the catalogue uses at the venue.
   */
  readonly pairs: readonly string[] | null;
}

/**
 * Proposes a catalogue: the present one with the venue's steps, and with entries for its new markets. The present
 * catalogue stays as it is; `differences` lists what the proposal changes. @rule D6.import decides
 */
export function proposeCatalogue(
  { document, catalogue }: PresentCatalogue,
  markets: readonly VenueMarket[],
  wanted: ImportSelection,
): Proposal {
  const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
  const differences: CatalogueDifference[] = [];
  const taken = new Set<string>();
  const instruments = [...catalogue.instruments.values()].map((instrument, index) => {
    const fields = document.instruments[index] ?? {};
    const symbol = venueSymbolOf(catalogue, instrument, wanted.venue);
    if (symbol === null || !isWanted(wanted, symbol, instrument)) return fields;
    taken.add(symbol);
    const market = bySymbol.get(symbol);
    const changed =
      market === undefined
        ? goneDifferences(instrument, symbol)
        : stepDifferences(instrument, market);
    differences.push(...changed);
    return applyDifferences(fields, changed, wanted.venue);
  });
  const added: EntryFields[] = [];
  for (const market of newMarkets({ catalogue, markets, taken, wanted })) {
    const entry = makeEntry(market, { document, catalogue, venue: wanted.venue });
    if (entry.ok) {
      added.push(entry.value.fields);
      differences.push({ what: "added", symbol: market.symbol, ...entry.value.named });
    } else if (wanted.pairs !== null || entry.refusal.isReportedUnnamed) {
      differences.push({ what: "leftOut", symbol: market.symbol, why: entry.refusal.why });
    }
  }
  differences.push(...unknownPairs({ catalogue, markets, wanted }));
  return { document: { ...document, instruments: [...instruments, ...added] }, differences };
}

/** The symbol of the instrument at the venue, else its symbol at all venues of ccxt; null when it has neither. */
export function venueSymbolOf(
  { symbols }: Catalogue,
  { id }: Instrument,
  venue: string,
): string | null {
  const names = symbols.get(id) ?? {};
  return names[venue] ?? names[CCXT_SYMBOL] ?? null;
}

function goneDifferences({ id: pair }: Instrument, symbol: string): readonly CatalogueDifference[] {
  return [{ what: "gone", pair, symbol }];
}

/**
 * Compares an instrument's tick and grid with the venue's steps of price and size. The grid is compared only when a lot
 * is one base unit, because the service itself defines the grids of other lots.
 */
function stepDifferences(
  instrument: Instrument,
  market: VenueMarket,
): readonly CatalogueDifference[] {
  const { id: pair, tick, gridStep, lotSize } = instrument;
  const { symbol } = market;
  const differences: CatalogueDifference[] = [];
  if (market.tick !== null && market.tick !== tick) {
    differences.push({ what: "tick", pair, symbol, from: tick, to: market.tick });
  }
  const step = lotSize === 1 ? gridOf(market) : null;
  if (step !== null && step !== lots(gridStep)) {
    differences.push({ what: "grid", pair, symbol, from: lots(gridStep), to: step });
  }
  return differences;
}

function applyDifferences(
  fields: EntryFields,
  changed: readonly CatalogueDifference[],
  venue: string,
): EntryFields {
  let entry = fields;
  for (const one of changed) {
    if (one.what === "tick") entry = { ...entry, tick: one.to };
    if (one.what === "grid") entry = { ...entry, gridStep: one.to };
    if (one.what === "gone") entry = { ...entry, symbols: withoutVenue(entry.symbols, venue) };
  }
  return entry;
}

function withoutVenue(symbols: unknown, venue: string): unknown {
  return Object.fromEntries(Object.entries(Object(symbols)).filter(([name]) => name !== venue));
}

interface Search {
  readonly catalogue: Catalogue;
  readonly markets: readonly VenueMarket[];
  readonly wanted: ImportSelection;
}

/**
 * The markets to import that no instrument of the catalogue uses yet. Without a list of pairs these are all markets of
 * one kind, spot or perpetual: the kind that the catalogue uses at this venue.
 */
function newMarkets({
  catalogue,
  markets,
  taken,
  wanted,
}: Search & { readonly taken: ReadonlySet<string> }): readonly VenueMarket[] {
  const kind = kindAt(catalogue, wanted.venue);
  return markets.filter((market) => {
    if (taken.has(market.symbol)) return false;
    return wanted.pairs === null
      ? market.kind === kind
      : wanted.pairs.some((name) => isMarket(name, market, kind));
  });
}

/** The kind of market that the catalogue uses at a venue; spot when it has no pair there. */
function kindAt(catalogue: Catalogue, venue: string): VenueMarket["kind"] {
  const names = [...catalogue.symbols.values()].flatMap((one) => one[venue] ?? []);
  return names.some((symbol) => kindOfSymbol(symbol) === "perpetual") ? "perpetual" : "spot";
}

/**
 * Whether a name from the list of pairs means this market. The name is the market's whole symbol, or its base and quote
 * currency if the market has the kind that the catalogue uses at this venue.
 */
function isMarket(name: string, market: VenueMarket, kind: VenueMarket["kind"]): boolean {
  if (name.toUpperCase() === market.symbol.toUpperCase()) return true;
  return market.kind === kind && pairKey(name) === pairKey(market.base + market.quote);
}

/** Whether the list of pairs names the instrument or its symbol; true without a list. */
function isWanted({ pairs }: ImportSelection, symbol: string, instrument: Instrument): boolean {
  const { id, display, aliases } = instrument;
  const names = new Set([id, display, ...aliases].map(pairKey));
  return (
    pairs === null ||
    pairs.some((name) => name.toUpperCase() === symbol.toUpperCase() || names.has(pairKey(name)))
  );
}

/** The listed pairs that neither the venue nor the catalogue has. */
function unknownPairs({ catalogue, markets, wanted }: Search): readonly CatalogueDifference[] {
  const kind = kindAt(catalogue, wanted.venue);
  const isKnown = (name: string): boolean =>
    markets.some((market) => isMarket(name, market, kind)) ||
    [...catalogue.instruments.values()].some((one) => {
      const symbol = venueSymbolOf(catalogue, one, wanted.venue);
      return symbol !== null && isWanted({ ...wanted, pairs: [name] }, symbol, one);
    });
  return (wanted.pairs ?? [])
    .filter((name) => !isKnown(name))
    .map((symbol) => ({ what: "leftOut", symbol, why: `${wanted.venue} has no such market` }));
}
