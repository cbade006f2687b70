import { CannotStart, SETTINGS } from "@propgate/base";
import { cataloguePath, parseCatalogue, parseCatalogueDocument } from "../catalogue.ts";
import { readDataFile } from "../data-file.ts";
import type { CatalogueDocument } from "./catalogue-document.ts";
import { readCcxtMarkets } from "./ccxt-markets.ts";
import { type Proposal, proposeCatalogue, venueSymbolOf } from "./proposal.ts";

export interface ImportOptions {
  /** The source of the markets, such as `ccxt:kraken`. */
  readonly from: string;
  /**
   * The markets to import, as symbols of the venue or names of pairs. Null means every market quoted in US dollars that
   * has the kind, spot or perpetual, that the catalogue uses at the venue.
   */
  readonly pairs: readonly string[] | null;
  /** The path or name of the catalogue that the proposal changes; null for the standard one. */
  readonly catalogue: string | null;
  /** The text of `PROPGATE_PRICE_URLS`; null when it is not set. */
  readonly priceUrls: string | null;
}

/**
 * Reads a venue's markets and proposes a catalogue, which is checked to be valid. Throws a `CannotStart` or a
 * `MarketDataError`.
 */
export async function importInstruments(options: ImportOptions): Promise<Proposal> {
  const venue = venueOf(options.from);
  const origin = originOf(options.priceUrls, venue);
  const file = cataloguePath(options.catalogue ?? "standard");
  const text = await readDataFile(file);
  const catalogue = parseCatalogue(text, file);
  const document = parsedDocument(text);
  const named = [...catalogue.instruments.values()].flatMap(
    (one) => venueSymbolOf(catalogue, one, venue) ?? [],
  );
  const symbols = [...named, ...(options.pairs ?? [])];
  const markets = await readCcxtMarkets({ venue, origin, symbols });
  const proposal = proposeCatalogue({ document, catalogue }, markets, {
    venue,
    pairs: options.pairs,
  });
  const checked = parseCatalogueDocument(proposal.document);
  if (!checked.ok) {
    throw new CannotStart(`the proposal is no valid catalogue: ${checked.refusal}`, {
      fix: "Name the markets to import with --pairs.",
    });
  }
  return proposal;
}

function venueOf(from: string): string {
  const found = /^ccxt:([a-z][a-z0-9]*)$/.exec(from);
  if (found?.[1] !== undefined) return found[1];
  throw new CannotStart(`"${from}" is not a source of instruments`, {
    fix: "Use a venue of ccxt, such as ccxt:kraken.",
  });
}

/** The origin that the setting names for the venue; null for the venue's own. */
function originOf(text: string | null, venue: string): string | null {
  if (text === null) return null;
  const { variable, parse } = SETTINGS.priceUrls;
  const read = parse(text);
  if ("problem" in read) throw new CannotStart(`${variable} ${read.problem}`);
  return read.value.find(({ name }) => name === venue)?.origin ?? null;
}

/** Parses the text of a catalogue that is known to be valid, so its JSON has the fields of `CatalogueDocument`. */
function parsedDocument(text: string): CatalogueDocument {
  return JSON.parse(text);
}
