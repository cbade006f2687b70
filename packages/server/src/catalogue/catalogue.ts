/**
 * The catalogue: what can be traded, as data. An instrument's entry is its class's defaults with
 * its own fields over them, so a firm changes a class's fee in one place.
 */
import {
  type Instrument,
  type Instruments,
  ok,
  type PairId,
  type Result,
  refuse,
  type Session,
} from "@propgate/core";
import { z } from "zod";
import type { SimulatedInstrument } from "../prices/simulated-market.ts";
import {
  expected,
  ownDataFile,
  type Problem,
  parseDocument,
  problemAt,
  readDataFile,
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
}

const fields = z.record(z.string(), z.unknown(), expected("must be an object"));

const documentSchema = z.strictObject(
  {
    version: z.literal(1, expected("must be 1")),
    sessions: z.array(sessionSchema, expected("must be a list of sessions")),
    classes: z.partialRecord(
      z.enum(ASSET_CLASSES, expected("must be an asset class")),
      fields,
      expected("must be an object of asset classes"),
    ),
    instruments: z
      .array(fields, expected("must be a list of instruments"))
      .min(1, expected("must have at least one instrument")),
  },
  expected("must be a catalogue"),
);

type Document = z.infer<typeof documentSchema>;

/**
 * Null for the catalogue that comes with the service.
 * @throws MarketDataError
 */
export async function loadCatalogue(path: string | null): Promise<Catalogue> {
  const file = path ?? ownDataFile("catalogue.json");
  return parseCatalogue(await readDataFile(file), file);
}

/** `file` names the text in messages. @throws MarketDataError with the first wrong value's path. @rule D6.catalogue */
export function parseCatalogue(text: string, file: string): Catalogue {
  const document = parseDocument(text, file, documentSchema);
  const wrong = (problem: Problem): MarketDataError => problemAt(file, problem);
  const sessions = sessionsById(document, wrong);
  const instruments = new Map<PairId, Instrument>();
  const simulated: SimulatedInstrument[] = [];
  for (const [index, own] of document.instruments.entries()) {
    const at = ["instruments", index];
    const entry = mergedEntry(document, index, wrong);
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
    const parameters = simulationOf(entry);
    if (parameters !== null) simulated.push({ instrument, parameters });
  }
  checkConversions([...instruments.values()], wrong);
  return { instruments, simulated };
}

/** The same for a parsed document; the refusal names the first wrong value. */
export function checkCatalogue(document: unknown): Result<Catalogue, string> {
  try {
    return ok(parseCatalogue(JSON.stringify(document), "catalogue"));
  } catch (cause) {
    if (cause instanceof MarketDataError) return refuse(cause.message);
    throw cause;
  }
}

type Wrong = (problem: Problem) => MarketDataError;

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

function mergedEntry(
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
  // The error names the class whose default is wrong, not the first instrument that has it.
  const isDefault =
    first !== undefined && !Object.hasOwn(own, first) && Object.hasOwn(defaults, first);
  const where = isDefault ? ["classes", String(assetClass)] : ["instruments", index];
  throw wrong({ path: [...where, ...path], text: issue?.message ?? "is not understood" });
}

/** A pair whose currency no pair converts to USD could be opened, but never valued. */
function checkConversions(instruments: readonly Instrument[], wrong: Wrong): void {
  const usdPairs = new Set(
    instruments.flatMap(({ id, base, quote }) => {
      const converts = id === base + quote && (base === "USD" || quote === "USD");
      return converts ? [base === "USD" ? quote : base] : [];
    }),
  );
  const index = instruments.findIndex(({ quote }) => quote !== "USD" && !usdPairs.has(quote));
  const stranded = instruments[index];
  if (stranded === undefined) return;
  throw wrong({
    path: ["instruments", index, "quote"],
    text: `is ${stranded.quote}, which no pair of the catalogue converts to USD`,
  });
}
