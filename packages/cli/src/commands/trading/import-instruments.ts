import { writeFile } from "node:fs/promises";
import type { CatalogueDifference } from "@propgate/server";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import { type OutputOptions, printResult, tableLines } from "../../output.ts";
import { escapedJson } from "../../printable.ts";
import { stepText } from "../../render/figures.ts";
import { startFailure } from "../../start-failure.ts";
import type { Terminal } from "../../terminal.ts";

interface ImportOptions extends OutputOptions {
  readonly from?: string;
  readonly pairs?: string;
  readonly catalogue?: string;
  readonly out?: string;
}

/** `propgate instruments import`: proposes a catalogue from a venue's markets. */
export function addImportInstruments(instruments: Command, terminal: Terminal): void {
  const command = instruments
    .command("import")
    .summary("propose a catalogue from a venue's markets")
    .description(
      "Read the markets of a venue and print a catalogue with its ticks, grids and new coins, for a person to " +
        "review. Nothing changes until a service starts with it. Needs the package ccxt and no keys.",
    )
    .requiredOption("--from <venue>", "a venue of ccxt, such as ccxt:kraken")
    .option("--pairs <names>", "only these markets or pairs, comma-separated")
    .option("--catalogue <file>", "the catalogue to change (PROPGATE_CATALOGUE)")
    .option("--out <file>", "write the proposal to this new file");
  command.action(async () => {
    const options = command.optsWithGlobals<ImportOptions>();
    const server = await import("@propgate/server");
    const { env } = terminal;
    const proposal = await server
      .importInstruments({
        from: options.from ?? "",
        pairs: readPairNames(options.pairs),
        catalogue: options.catalogue ?? env.PROPGATE_CATALOGUE ?? null,
        priceUrls: env.PROPGATE_PRICE_URLS ?? null,
      })
      .catch((cause: unknown) => {
        throw startFailure(cause);
      });
    const { document, differences } = proposal;
    const text = `${escapedJson(JSON.stringify(document, null, 2))}\n`;
    const lines = differenceLines(differences);
    if (options.out !== undefined) {
      await writeNew(options.out, text);
      lines.push(
        "",
        `The proposal is in ${options.out}. Review it, then start with PROPGATE_CATALOGUE.`,
      );
      printResult(terminal, options, { value: { differences, file: options.out }, lines });
    } else if (options.json === true) {
      printResult(terminal, options, { value: { differences, catalogue: document }, lines: [] });
    } else {
      terminal.error(`${lines.join("\n")}\n`);
      terminal.out(text);
    }
  });
}

/** The names of `--pairs`; null without it, which means every market. */
function readPairNames(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null;
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw usageError("--pairs contains an empty name", "Use names such as BTC/USD,ETH/USD.");
}

/** Writes a file that must not exist: an existing one could be the catalogue in use. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw usageError(
      exists ? `${path} exists already` : `${path} cannot be written`,
      exists ? "Choose another file for --out." : null,
    );
  }
}

function differenceLines(differences: readonly CatalogueDifference[]): string[] {
  if (differences.length === 0) return ["The catalogue has the venue's ticks, grids and markets."];
  return [...tableLines(["change", "pair", "market", "from", "to"], differences.map(rowOf))];
}

function rowOf(one: CatalogueDifference): readonly string[] {
  switch (one.what) {
    case "added":
      return ["added", one.pair, one.symbol, "", `tick ${stepText(one.tick)}`];
    case "tick":
    case "grid":
      return [one.what, one.pair, one.symbol, stepText(one.from), stepText(one.to)];
    case "gone":
      return ["gone", one.pair, one.symbol, "", ""];
    case "leftOut":
      return ["left out", "", one.symbol, "", one.why];
  }
}
