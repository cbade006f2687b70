import type { Account, Linked, PositionItem } from "@propgate/contract";
import type { Command } from "commander";
import { CliError, EXIT, usageError } from "../../cli-error.ts";
import { printResult } from "../../output.ts";
import { printableJson } from "../../printable.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { paintFor } from "../../render/paint.ts";
import { createPriceReader, type PriceTexts, WITHOUT_TICKS } from "../../render/prices.ts";
import type { Terminal } from "../../terminal.ts";
import type { TradingService } from "../../trading/service.ts";
import { runRead } from "./read-command.ts";
import { changeLine, screenLines, type WatchFigures } from "./watch-screen.ts";

interface WatchOptions extends ConnectionOptions {
  readonly every: string;
  readonly once?: boolean;
}

/** One refresh is two reads, so one refresh a second uses the key's whole budget of 120 reads a minute. */
const SECONDS_MIN = 1;
const EQUITY_POINTS_MAX = 600;

/** `propgate watch`: shows the account live. */
export function addWatch(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(program.command("watch"))
    .summary("watch the account live: limits, equity, positions")
    .description(
      "Watch the account: its limits as bars, its equity as a line, its positions. Ends with Ctrl-C. " +
        "Without a terminal it prints one line for each change. A refresh takes two of the key's 120 " +
        "reads a minute.",
    )
    .option("--every <seconds>", "time between refreshes, at least 1", "2")
    .option("--once", "print it once and end");
  command.action(async () => {
    const options = command.optsWithGlobals<WatchOptions>();
    const everyMs = readEvery(options.every);
    if (options.csv === true && options.once !== true) throw usageError("--csv requires --once");
    const paint = paintFor(terminal, options);
    await runRead(terminal, options, async (service) => {
      if (options.once === true) {
        const moment = await readFigures(service, {
          equity: [],
          prices: createPriceReader(service),
        });
        const { account, positions } = moment;
        printResult(terminal, options, {
          value: { account, positions },
          lines: screenLines(moment, paint),
        });
        return;
      }
      const view = openView(terminal, options);
      try {
        await watchUntilStopped({ service, terminal, view, everyMs });
      } finally {
        view.end();
      }
    });
  });
}

function readEvery(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,4}(\.\d)?$/.test(text) && seconds >= SECONDS_MIN) return seconds * 1000;
  throw usageError(`--every must be at least 1 second, not ${text}`);
}

interface EarlierFigures {
  readonly equity: readonly number[];
  readonly prices: () => Promise<PriceTexts>;
}

async function readFigures(service: TradingService, before: EarlierFigures): Promise<WatchFigures> {
  const [account, positions]: [Account<Linked>, readonly PositionItem<Linked>[]] =
    await Promise.all([service.account(), service.positions()]);
  const prices = positions.length === 0 ? WITHOUT_TICKS : await before.prices();
  const { currentEquity } = account.account;
  const known = currentEquity === null ? [] : [currentEquity];
  const equity = [...before.equity, ...known].slice(-EQUITY_POINTS_MAX);
  return { account, positions, prices, equity, problem: null };
}

interface WatchView {
  show(moment: WatchFigures): void;
  /** Shows a problem; `last` has the newest figures, null before the first refresh. */
  showProblem(problem: string, last: WatchFigures | null): void;
  end(): void;
}

const HOME = "\u001b[H";
const CLEAR_REST = "\u001b[J";
const CLEAR_LINE_END = "\u001b[K";
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";

function openView(terminal: Terminal, options: WatchOptions): WatchView {
  const plain = options.json === true || options.csv === true || !terminal.outIsTerminal;
  return plain ? lineView(terminal, options) : screenView(terminal, options);
}

/** Draws on the terminal's alternate screen, and leaves it at the end. */
function screenView(terminal: Terminal, options: WatchOptions): WatchView {
  const paint = paintFor(terminal, options);
  terminal.draw.out(ENTER);
  const draw = (lines: readonly string[]): void => {
    // The last line of the terminal stays empty, because a full screen would scroll.
    const visible = lines.slice(0, Math.max(1, terminal.rows() - 1));
    terminal.draw.out(
      `${HOME}${visible.map((line) => `${terminal.clean(line)}${CLEAR_LINE_END}\n`).join("")}${CLEAR_REST}`,
    );
  };
  return {
    show: (moment) => draw(screenLines(moment, paint, terminal.columns())),
    showProblem(problem, last) {
      if (last === null) draw([paint.warn(problem)]);
      else draw(screenLines({ ...last, problem }, paint, terminal.columns()));
    },
    end: () => terminal.draw.out(LEAVE),
  };
}

/** Prints one line for each change. */
function lineView(terminal: Terminal, options: WatchOptions): WatchView {
  let lastKey = "";
  const printChange = (line: string, key: string): void => {
    if (key === lastKey) return;
    lastKey = key;
    terminal.out(`${line}\n`);
  };
  return {
    show(moment) {
      const { account, positions } = moment;
      const plain = changeLine(moment);
      const key = plain.slice(plain.indexOf(" equity"));
      printChange(options.json === true ? printableJson({ account, positions }) : plain, key);
    },
    showProblem(problem) {
      if (problem === lastKey) return;
      lastKey = problem;
      terminal.error(`propgate: ${problem}\n`);
    },
    end: () => {},
  };
}

interface Watching {
  readonly service: TradingService;
  readonly terminal: Terminal;
  readonly view: WatchView;
  readonly everyMs: number;
}

async function watchUntilStopped({ service, terminal, view, everyMs }: Watching): Promise<void> {
  const ended = terminal.untilStopped().then(() => true);
  const prices = createPriceReader(service);
  let last: WatchFigures | null = null;
  for (;;) {
    const before: EarlierFigures = { equity: last?.equity ?? [], prices };
    const seen: WatchFigures | string | boolean = await Promise.race([
      readFigures(service, before).catch(temporaryProblem),
      ended,
    ]);
    if (typeof seen === "boolean") return;
    if (typeof seen === "string") view.showProblem(seen, last);
    else {
      last = seen;
      view.show(seen);
    }
    const isEnded = await Promise.race([terminal.wait(everyMs).then(() => false), ended]);
    if (isEnded) return;
  }
}

/** The message of an error that the next refresh may not have. Throws any other error. */
function temporaryProblem(error: unknown): string {
  if (error instanceof CliError && error.problem.exitCode === EXIT.unreachable) {
    return error.problem.message;
  }
  throw error;
}
