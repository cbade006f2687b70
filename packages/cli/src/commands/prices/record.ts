import { type Command, Option } from "commander";
import { EndWith, EXIT, usageError } from "../../cli-error.ts";
import { nameValueLines, printResult } from "../../output.ts";
import { startFailure } from "../../start-failure.ts";
import type { Terminal } from "../../terminal.ts";
import { readServeSettings, type ServeOptions } from "../serve.ts";

interface RecordOptions extends ServeOptions {
  readonly to: string;
  readonly for?: string;
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const STEP_MS = 250;
/** The speed of a replay that does not wait between quotes, because a recording has its own times. */
const FULL_SPEED = "1000000";

/** `propgate prices record`: records prices without a service. */
export function addPricesRecord(prices: Command, terminal: Terminal): void {
  const command = prices
    .command("record")
    .summary("record prices without running a service")
    .description(
      "Record the prices that a service would trade on, with every quote judged and numbered, into a folder. " +
        "Without --prices or --replay, prices are simulated. A CSV file becomes a tape with its own times, as " +
        "fast as the machine can. Rows that cannot be used are named; a file with more than 1 % of them, or one that " +
        "is cut, is refused with exit code 1. The log goes to standard error. Ends after --for, at the end of a replay, or with Ctrl-C.",
    )
    .requiredOption("--to <dir>", "the folder to record in; a recording there is continued")
    .option("--for <time>", "how long to record: 90s, 10m, 8h or 1d")
    .option("--prices <sources>", "live prices: kraken,coinbase or crypto=kraken;AAPL=alpaca")
    .addOption(
      new Option("--replay <file...>", "recorded prices, as PATH or PAIR=PATH; may be repeated"),
    )
    .option("--speed, --replay-speed <n>", "speed of a replay (as fast as possible)")
    .option(
      "--max-unusable, --replay-max-unusable <percent>",
      "share of a price file's rows that may be unusable (1)",
    )
    .option("--seed, --simulation-seed <text>", "seed of simulated prices");
  command.action(async () => {
    const options = command.optsWithGlobals<RecordOptions>();
    const forMs = options.for === undefined ? null : durationMs(options.for);
    const settings = await readServeSettings(
      { replaySpeed: FULL_SPEED, replayRebase: "own", ...options },
      terminal,
    );
    const { recordPrices, warningText } = await import("@propgate/server");
    const onRepair = (about: string): void => terminal.error(`propgate: ${about}\n`);
    // Log lines go to standard error, because standard output has only the result.
    const writeLog = (line: string): void => terminal.error(line);
    const recording = await recordPrices(settings, {
      folder: options.to,
      onRepair,
      writeLog,
    }).catch((cause: unknown) => {
      throw startFailure(cause);
    });
    terminal.error(`propgate: recording ${recording.description} into ${options.to}\n`);
    await waitForEnd(terminal, recording.ended, forMs);
    const recorded = await recording.stop();
    const { quotes, rejected, lost, skipped, broken } = recorded;
    printResult(terminal, options, {
      value: { folder: options.to, ...recorded },
      lines: nameValueLines([
        ["folder", options.to],
        ["pairs", String(recorded.pairs)],
        ["quotes", String(quotes)],
        ["rejected", rejectedText(rejected)],
        ["lost", String(lost)],
        ["skipped", String(skipped.reduce((sum, { count }) => sum + count, 0))],
      ]),
    });
    for (const warning of [...skipped, ...broken]) {
      terminal.error(`propgate: ${warningText(warning)}\n`);
    }
    if (broken.length > 0) throw new EndWith(EXIT.refused);
  });
}

/** The rejected rows in words: `9500 closed, 2 crossed`. */
function rejectedText(rejected: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(rejected).map(([reason, count]) => `${count} ${reason}`);
  return reasons.length === 0 ? "0" : reasons.join(", ");
}

/**
 * Waits for a signal, the end of the prices, or the end of the recording time. It waits in short steps, because only a
 * timer keeps this process running.
 */
async function waitForEnd(
  terminal: Terminal,
  ended: Promise<void>,
  forMs: number | null,
): Promise<void> {
  let isOver = false;
  const over = Promise.race([terminal.untilStopped(), ended]).then(() => {
    isOver = true;
  });
  const endMs = forMs === null ? Number.POSITIVE_INFINITY : terminal.now() + forMs;
  while (!isOver && terminal.now() < endMs) {
    await Promise.race([over, terminal.wait(Math.min(STEP_MS, endMs - terminal.now()))]);
  }
}

function durationMs(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (DURATION_UNITS_MS[unit] ?? 0);
  if (!(ms > 0)) throw usageError(`--for must be a time such as 90s, 10m, 8h or 1d, not ${text}`);
  return ms;
}
