import type { CandleProof, TapeProof } from "@propgate/server";
import type { Command } from "commander";
import { EndWith, EXIT } from "../../cli-error.ts";
import { databaseUrlOption } from "../../database-url.ts";
import { nameValueLines, type OutputOptions, printResult, tableLines } from "../../output.ts";
import { readDatabaseUrls } from "../../secrets/database-urls.ts";
import type { Terminal } from "../../terminal.ts";
import { addTapeOptions, dataDirOf, type TapeOptions, tapeFolderOf } from "./tape-option.ts";

interface VerifyOptions extends TapeOptions, OutputOptions {
  readonly databaseUrl?: string;
}

/** The comparison of the stored candles with the tape, or why there was none. */
type CandleCheck = CandleProof | { readonly unchecked: string };

/**
 * `propgate prices verify`: recomputes every hash of a tape, and recounts the stored candles where the database can be
 * read.
 */
export function addPricesVerify(prices: Command, terminal: Terminal): void {
  const command = addTapeOptions(prices.command("verify"))
    .summary("recompute every hash of a recording and recount its candles")
    .description(
      "Recompute the hashes and chains of every file and name the first bad chunk of each. Then recount the " +
        "candles of the database. An embedded database in use by a service is left out. Exit code 1 when " +
        "something is wrong.",
    )
    .addOption(databaseUrlOption("PostgreSQL with the candles (PROPGATE_DATABASE_URL)"));
  command.action(async () => {
    const options = command.optsWithGlobals<VerifyOptions>();
    const { verifyTape } = await import("@propgate/server");
    const folder = await tapeFolderOf(terminal, options);
    const tape = await verifyTape(folder);
    const candles = await recountCandles(terminal, { options, folder });
    printResult(terminal, options, {
      value: { folder, ...tape, candles },
      lines: [...tapeLines(folder, tape), ...candleLines(candles)],
    });
    const faults = "unchecked" in candles ? 0 : candles.faults.length;
    if (tape.faults.length + faults > 0) throw new EndWith(EXIT.refused);
  });
}

async function recountCandles(
  terminal: Terminal,
  { options, folder }: { readonly options: VerifyOptions; readonly folder: string },
): Promise<CandleCheck> {
  const server = await import("@propgate/server");
  const databaseUrl = options.databaseUrl ?? (await readDatabaseUrls(terminal))[0] ?? null;
  if (options.tape !== undefined && databaseUrl === null && options.dataDir === undefined) {
    return { unchecked: "a folder alone has none" };
  }
  const place = { databaseUrl, dataDir: dataDirOf(terminal, options) };
  if (!server.mayHoldServiceData(place)) return { unchecked: `no database in ${place.dataDir}` };
  try {
    const database = await server.openServiceDatabaseWithoutMigration(place);
    try {
      return await server.verifyCandles(folder, server.createCandleStore(database));
    } finally {
      await database.close();
    }
  } catch (cause) {
    if (!(cause instanceof Error && cause.name === "DatabaseUnusable")) throw cause;
    return { unchecked: cause.message };
  }
}

function tapeLines(folder: string, proof: TapeProof): readonly string[] {
  const figures = nameValueLines([
    ["folder", folder],
    ["pairs", String(proof.pairs)],
    ["files", String(proof.files)],
    ["chunks", String(proof.chunks)],
    ["quotes", String(proof.quotes)],
    ["bytes", String(proof.bytes)],
  ]);
  const unfinished = proof.unfinished.map(
    (path) => `${path} ends in an unfinished write, which the next start cuts off.`,
  );
  const faults = proof.faults.map(({ path, chunk, reason }) => [path, String(chunk), reason]);
  return [
    ...figures,
    ...unfinished,
    "",
    ...(faults.length === 0
      ? ["No file, chunk or number was altered or is missing."]
      : tableLines(["file", "chunk", "problem"], faults)),
  ];
}

function candleLines(candles: CandleCheck): readonly string[] {
  if ("unchecked" in candles) return ["", `Candles were not compared: ${candles.unchecked}`];
  const { hours, unstored, faults } = candles;
  const rows = faults.map(({ pair, hour, reason }) => [pair, hour, reason]);
  return [
    "",
    `Candles of ${hours - unstored} hours were compared; ${unstored} hours are not stored yet.`,
    ...(rows.length === 0
      ? ["All of them are a recount of their quotes."]
      : tableLines(["pair", "hour", "problem"], rows)),
  ];
}
