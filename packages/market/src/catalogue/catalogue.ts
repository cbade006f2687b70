/**
 * The catalogue: the tradable instruments, as data. An instrument's entry is the defaults of its class with its own
 * fields over them, so a firm changes a class's fee in one place.
 */
import {
  type Instrument,
  type Instruments,
  ok,
  type PairId,
  pairKey,
  type Result,
  refuse,
  type Session,
} from "@propgate/core";
import { z } from "zod";
import type { SimulatedInstrument } from "../prices/simulated-market.ts";
import type { VenueSymbols } from "../prices/venues/symbols.ts";
import {
  bundledDataPath,
  type DocumentProblem,
  dataFileError,
  parseDocument,
  readDataFile,
  schemaErrorTexts,
} from "./data-file.ts";
import {
  ASSET_CLASSES,
  instrumentOf,
  instrumentSchema,
  simulationOf,
} from "./instrument-schema.ts";
import { MarketDataError } from "./market-data-error.ts";
import { sessionSchema } from "./session-schema.ts";

export interface Catalogue {
  readonly instruments: Instruments;
  /** The instruments that the simulated market can price. */
  readonly simulated: readonly SimulatedInstrument[];
  /** The names of the instruments at the venues that quote them. */
  readonly symbols: VenueSymbols;
}

const fields = z.record(z.string(), z.unknown(), schemaErrorTexts("must be an object"));

const documentSchema = z.strictObject(
  {
    version: z.literal(1, schemaErrorTexts("must be 1")),
    sessions: z.array(sessionSchema, schemaErrorTexts("must be a list of sessions")),
    classes: z.partialRecord(
      z.enum(ASSET_CLASSES, schemaErrorTexts("must be an asset class")),
      fields,
      schemaErrorTexts("must be an object of asset classes"),
    ),
    instruments: z
      .array(fields, schemaErrorTexts("must be a list of instruments"))
      .min(1, schemaErrorTexts("must have at least one instrument")),
  },
  schemaErrorTexts("must be a catalogue"),
);

type Document = z.infer<typeof documentSchema>;

/** The catalogues that come with the service, by the names that `PROPGATE_CATALOGUE` accepts. */
const OWN_CATALOGUES = { standard: "catalogue.json", perps: "perps.json" } as const;

/**
 * Loads a catalogue by its path, or by the name of one that comes with the service; null is `standard`.
 * @throws MarketDataError
 */
export async function loadCatalogue(name: string | null): Promise<Catalogue> {
  const file = cataloguePath(name ?? "standard");
  return parseCatalogue(await readDataFile(file), file);
}

/** The path of a catalogue with this name or path. To name a file `perps` in the working directory, write `./perps`. */
export function cataloguePath(name: string): string {
  const own = Object.entries(OWN_CATALOGUES).find(([key]) => key === name);
  return own === undefined ? name : bundledDataPath(own[1]);
}

/**
 * Parses a catalogue and checks it. `file` names it in messages. @throws MarketDataError with the first wrong value's
 * path.
 * @rule D6.catalogue decides
 */
export function parseCatalogue(text: string, file: string): Catalogue {
  const document = parseDocument(text, file, documentSchema);
  const wrong = (problem: DocumentProblem): MarketDataError => dataFileError(file, problem);
  const sessions = sessionsById(document, wrong);
  const instruments = new Map<PairId, Instrument>();
  const simulated: SimulatedInstrument[] = [];
  const symbols = new Map<PairId, Readonly<Record<string, string>>>();
  for (const [index, own] of document.instruments.entries()) {
    const at = ["instruments", index];
    const entry = mergeEntry(document, index, wrong);
    const session = sessions.get(entry.session);
    if (session === undefined) {
      throw wrong({
        path: [...at, "session"],
        text: `is not the id of a session: ${entry.session}`,
      });
    }
    if (instruments.has(entry.id)) {
      throw wrong({ path: [...at, "id"], text: `appears twice: ${String(own.id)}` });
    }
    const instrument = instrumentOf(entry, session);
    instruments.set(instrument.id, instrument);
    symbols.set(instrument.id, entry.symbols);
    const parameters = simulationOf(entry);
    if (parameters !== null) simulated.push({ instrument, parameters });
  }
  checkNames([...instruments.values()], wrong);
  checkConversions([...instruments.values()], wrong);
  return { instruments, simulated, symbols };
}

/** Parses a catalogue whose JSON is already parsed. The refusal is a text that names the first wrong value. */
export function parseCatalogueDocument(document: unknown): Result<Catalogue, string> {
  try {
    return ok(parseCatalogue(JSON.stringify(document), "catalogue"));
  } catch (cause) {
    if (cause instanceof MarketDataError) return refuse(cause.message);
    throw cause;
  }
}

type Wrong = (problem: DocumentProblem) => MarketDataError;

function sessionsById(document: Document, wrong: Wrong): ReadonlyMap<string, Session> {
  const sessions = new Map<string, Session>();
  for (const [index, session] of document.sessions.entries()) {
    if (sessions.has(session.id)) {
      throw wrong({ path: ["sessions", index, "id"], text: `appears twice: ${session.id}` });
    }
    sessions.set(session.id, session);
  }
  return sessions;
}

function mergeEntry(
  document: Document,
  index: number,
  wrong: Wrong,
): z.infer<typeof instrumentSchema> {
  const own = document.instruments[index] ?? {};
  const assetClass = ASSET_CLASSES.find((name) => name === own.class);
  const defaults = assetClass === undefined ? {} : (document.classes[assetClass] ?? {});
  const parsed = instrumentSchema.safeParse({ ...defaults, ...own });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const [first] = path;
  // When the wrong value is a default, the error names its class instead of the first instrument that has it.
  const isDefault =
    first !== undefined && !Object.hasOwn(own, first) && Object.hasOwn(defaults, first);
  const where = isDefault ? ["classes", String(assetClass)] : ["instruments", index];
  throw wrong({ path: [...where, ...path], text: issue?.message ?? "is not understood" });
}

/**
 * Throws when two instruments have a name in common. Requests use ids, display forms and aliases alike, so each may
 * belong to one instrument only. @rule D6.aliases
 */
function checkNames(instruments: readonly Instrument[], wrong: Wrong): void {
  const owners = new Map<string, PairId>();
  for (const [index, { id, display, aliases }] of instruments.entries()) {
    const names: readonly (readonly [readonly PropertyKey[], string])[] = [
      [["id"], id],
      [["display"], display],
      ...aliases.map((alias, place) => [["aliases", place], alias] as const),
    ];
    for (const [field, name] of names) {
      const owner = owners.get(pairKey(name)) ?? id;
      if (owner !== id) {
        const path = ["instruments", index, ...field];
        throw wrong({ path, text: `is a name of ${owner} already: ${name}` });
      }
      owners.set(pairKey(name), id);
    }
  }
}

/**
 * Throws when an instrument is quoted in a currency that no pair converts to USD: its positions could not be valued.
 */
function checkConversions(instruments: readonly Instrument[], wrong: Wrong): void {
  const usdPairs = new Set(
    instruments.flatMap(({ id, base, quote }) => {
      const converts = id === base + quote && (base === "USD" || quote === "USD");
      return converts ? [base === "USD" ? quote : base] : [];
    }),
  );
  const index = instruments.findIndex(
    ({ quote, quoteIsUsd }) => quote !== "USD" && !quoteIsUsd && !usdPairs.has(quote),
  );
  const stranded = instruments[index];
  if (stranded === undefined) return;
  throw wrong({
    path: ["instruments", index, "quote"],
    text: `is ${stranded.quote}, which no pair of the catalogue converts to USD`,
  });
}
