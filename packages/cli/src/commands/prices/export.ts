import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { NumberedQuote } from "@propgate/server";
import type { Command } from "commander";
import { CliError, EXIT, usageError } from "../../cli-error.ts";
import type { OutputOptions } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";
import { parseTimeOption } from "../../typed-time.ts";
import { addTapeOptions, type TapeOptions, tapeFolderOf } from "./tape-option.ts";

interface ExportOptions extends TapeOptions, OutputOptions {
  readonly pair: string;
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
}

const HEADER = "timeMs,bid,ask\n";
const LATEST_MS = 8_640_000_000_000_000;

/** `propgate prices export`: writes a pair's quotes as CSV, which a replay reads. */
export function addPricesExport(prices: Command, terminal: Terminal): void {
  const command = addTapeOptions(prices.command("export"))
    .summary("write the quotes of a pair as CSV")
    .description(
      "Write the recorded quotes of a pair as CSV with the columns timeMs, bid and ask, which --replay reads. " +
        "Times are the venue's own, as Unix milliseconds. Every quote is a row, in the order of the tape.",
    )
    .requiredOption("--pair <pair>", "such as BTCUSD")
    .option("--from <time>", "received from: 2026-11-23, 2026-11-23T01:30Z or Unix milliseconds")
    .option("--to <time>", "received before")
    .option("--out <file>", "a new file to write, instead of standard output");
  command.action(async () => {
    const options = command.optsWithGlobals<ExportOptions>();
    const fromMs = options.from === undefined ? 0 : parseTimeOption(options.from, "--from");
    const toMs = options.to === undefined ? LATEST_MS : parseTimeOption(options.to, "--to");
    const write = await openOutput(terminal, options.out);
    const rows = await writeRows(terminal, { options, fromMs, toMs, write });
    await write.end();
    if (rows === 0) terminal.error("propgate: the tape has no such quotes\n");
    else if (options.out !== undefined) terminal.out(`${options.out}: ${rows} quotes\n`);
  });
}

interface Output {
  writeText(text: string): Promise<void>;
  end(): Promise<void>;
}

async function openOutput(terminal: Terminal, path: string | undefined): Promise<Output> {
  if (path === undefined) {
    return { writeText: async (text) => terminal.out(text), end: async () => {} };
  }
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    await once(file, "open");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw usageError(`--out ${path} cannot be written: ${reason}`);
  }
  return {
    async writeText(text) {
      if (!file.write(text)) await once(file, "drain");
    },
    async end() {
      file.end();
      await once(file, "close");
    },
  };
}

async function writeRows(
  terminal: Terminal,
  given: {
    readonly options: ExportOptions;
    readonly fromMs: number;
    readonly toMs: number;
    readonly write: Output;
  },
): Promise<number> {
  const { createTapeReader, findTapePair, TapeDamaged, unixMs } = await import("@propgate/server");
  const { options, write } = given;
  const folder = await tapeFolderOf(terminal, options);
  const pair = await findTapePair(folder, options.pair);
  if (pair === null) throw usageError(`--pair must be a pair such as BTCUSD, not ${options.pair}`);
  const stretch = { fromMs: unixMs(given.fromMs), toMs: unixMs(given.toMs) };
  await write.writeText(HEADER);
  const reader = createTapeReader(folder);
  let rows = 0;
  try {
    for await (const quotes of reader.read(pair, stretch)) {
      rows += quotes.length;
      await write.writeText(quotes.map(csvRow).join(""));
    }
  } catch (cause) {
    if (!(cause instanceof TapeDamaged)) throw cause;
    throw new CliError({
      message: `the quotes before the damage are written: ${cause.message}`,
      fix: "propgate prices verify names every damaged file.",
      exitCode: EXIT.refused,
    });
  }
  return rows;
}

/** A row of the CSV. JavaScript writes a number with enough digits to read the same double again. */
function csvRow({ atMs, bid, ask }: NumberedQuote): string {
  return `${atMs},${bid},${ask}\n`;
}
