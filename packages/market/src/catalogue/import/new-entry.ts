import { createPairFinder, type Instrument, ok, type Result, refuse } from "@propgate/core";
import type { Catalogue } from "../catalogue.ts";
import type { CatalogueDocument, EntryFields } from "./catalogue-document.ts";
import { gridOf, type VenueMarket } from "./venue-market.ts";

/** A new instrument of the catalogue: its fields, and the pair and tick that the list of differences shows. */
export interface NewEntry {
  readonly fields: EntryFields;
  readonly named: { readonly pair: string; readonly tick: number };
}

/** Why a market of the venue gets no entry. */
export interface SkippedMarket {
  readonly why: string;
  /**
   * False for kinds of markets that are never imported, such as those quoted in euros. They are reported only when the
   * list of pairs names them.
   */
  readonly isReportedUnnamed: boolean;
}

/** The quote currencies that are counted as US dollars. */
const DOLLARS: readonly string[] = ["USD", "USDC"];
/** Currencies and stable coins, which are not imported as coins. */
const MONEY = /^(USD[A-Z]?|DAI|PYUSD|FDUSD|RLUSD|EUR[A-Z]?|GBP|JPY|CHF|CAD|AUD|NZD)$/;
const TICK_MIN = 1e-9;

/**
 * Makes the entry of a coin that the catalogue does not have. The entry gets the lowest caps and the widest spread of
 * the catalogue's coins, so that higher caps are the decision of a person.
 */
export function makeEntry(
  market: VenueMarket,
  {
    document,
    catalogue,
    venue,
  }: {
    readonly document: CatalogueDocument;
    readonly catalogue: Catalogue;
    readonly venue: string;
  },
): Result<NewEntry, SkippedMarket> {
  const { symbol, base, quote, tick } = market;
  const id = base + quote;
  const existingPair = createPairFinder(catalogue.instruments)(id);
  const skip = (why: string, isReportedUnnamed = true) => refuse({ why, isReportedUnnamed });
  if (!DOLLARS.includes(quote)) return skip(`its quote currency ${quote} is no dollar`, false);
  if (MONEY.test(base)) return skip(`${base} is a currency, not a coin`, false);
  if (!/^[A-Za-z0-9_]{1,16}$/.test(base)) return skip(`${base} cannot be part of an id`, false);
  if (catalogue.instruments.has(existingPair)) return skip(`its id is a name of ${existingPair}`);
  if (tick === null || tick < TICK_MIN) return skip("it has no step of prices from 1e-9");
  const coins = [...catalogue.instruments.values()].filter(
    ({ assetClass, blocked }) => assetClass === "crypto" && !blocked,
  );
  if (coins.length === 0) return skip("the catalogue has no crypto to take caps from");
  const defaults = document.classes.crypto ?? {};
  const grid = gridOf(market);
  const fields: EntryFields = {
    id,
    display: `${base}/${quote}`,
    class: "crypto",
    base,
    ...differingFields(defaults, { quote, quoteIsUsd: quote !== "USD" }),
    symbols: { [venue]: symbol },
    tick,
    ...(grid === null ? {} : differingFields(defaults, { gridStep: grid })),
    spreadRatio: Math.max(...coins.map(({ spreadRatio }) => spreadRatio)),
    leverageCaps: lowestCaps(coins),
  };
  return ok({ fields, named: { pair: id, tick } });
}

/** The fields that differ from the defaults of the class. A default that is absent counts as false. */
function differingFields(defaults: EntryFields, own: EntryFields): EntryFields {
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value !== (defaults[name] ?? false)),
  );
}

function lowestCaps(coins: readonly Instrument[]): EntryFields {
  const lowest = (pick: (caps: Instrument["leverageCaps"]) => number): number =>
    Math.min(...coins.map(({ leverageCaps }) => pick(leverageCaps)));
  return {
    tier1: lowest(({ tier1 }) => tier1),
    tier2: lowest(({ tier2 }) => tier2),
    tier3: lowest(({ tier3 }) => tier3),
    pro: lowest(({ pro }) => pro),
  };
}
