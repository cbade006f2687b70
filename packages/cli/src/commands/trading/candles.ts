import {
  CANDLE_INTERVALS,
  type CandleItem,
  type CandlesRequest,
  LIMITS,
  parseCandlesQuery,
  priceText,
} from "@propgate/contract";
import { type Command, Option } from "commander";
import { usageError } from "../../cli-error.ts";
import { printResult, tableLines } from "../../output.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { sparkline } from "../../render/chart.ts";
import { decimalText, minuteText } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import type { TradingService } from "../../trading/service.ts";
import { parseTimeParameter } from "../../typed-time.ts";
import { runRead } from "./read-command.ts";

const SIDES = ["mid", "bid", "ask"] as const;
type Side = (typeof SIDES)[number];

interface CandlesOptions extends ConnectionOptions {
  readonly interval: string;
  readonly limit: string;
  readonly after?: string;
  readonly side: Side;
}

const ROWS = "20";
const CHART_WIDTH = 60;

/** `propgate candles`: prints the past prices of a pair. */
export function addCandles(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(program.command("candles"))
    .summary("list past prices of a pair by minute, hour or day")
    .description(
      "List the newest candles of a pair, oldest first. Times are UTC and are the start of the candle; " +
        "an interval without quotes has no candle. --json and --csv have bid, ask and mid.",
    )
    .argument("<pair>", "such as BTCUSD")
    .addOption(
      new Option("--interval <length>", "length of a candle")
        .choices([...CANDLE_INTERVALS])
        .default("5m"),
    )
    .option("--limit <n>", `number of candles, 1 to ${LIMITS.candlesLimitMax}`, ROWS)
    .option(
      "--after <time>",
      "only candles that start later: 2026-11-23, 2026-11-23T01:30Z or Unix milliseconds; 0 for the first",
    )
    .addOption(
      new Option("--side <side>", "prices of the table").choices([...SIDES]).default("mid"),
    );
  command.action(async (pair: string) => {
    const options = command.optsWithGlobals<CandlesOptions>();
    const request = readRequest(pair, options);
    await runRead(terminal, options, async (service) => {
      const candles = await service.candles(request);
      const isForPerson = options.json !== true && options.csv !== true;
      const tick = isForPerson && candles.length > 0 ? await tickOf(service, request.pair) : null;
      const lines = candleLines(candles, { side: options.side, tick });
      printResult(terminal, options, { value: candles, columns: COLUMNS, lines });
    });
  });
}

const COLUMNS: readonly string[] = [
  "startMs",
  ...(["bid", "ask", "mid"] as const).flatMap((side) =>
    ["open", "high", "low", "close"].map((name) => `${side}.${name}`),
  ),
  "quoteCount",
  "isComplete",
];

function readRequest(pair: string, { interval, limit, after }: CandlesOptions): CandlesRequest {
  const from = after === undefined ? {} : { after: parseTimeParameter(after, "--after") };
  const given = { tradePair: pair, interval, limit, ...from };
  const entries = Object.entries(given).map(([name, value]) => [name, [value]] as const);
  const query = parseCandlesQuery(new Map(entries));
  if (query.ok) return query;
  throw usageError(
    query.message.replace(/^'(\w+)'/, (_, name: string) =>
      name === "tradePair" ? "<pair>" : `--${name}`,
    ),
  );
}

/** The tick of a pair; null when the service does not list the pair, or lists it without a tick. */
async function tickOf(service: TradingService, pair: string): Promise<number | null> {
  const found = (await service.instruments()).find((one) => one.tradePair === pair);
  return found?.tick ?? null;
}

function candleLines(
  candles: readonly CandleItem[],
  { side, tick }: { readonly side: Side; readonly tick: number | null },
): readonly string[] {
  if (candles.length === 0) return ["No candles."];
  const text = (value: number): string => priceText(value, { tick });
  const rows = candles.map((candle) => {
    const { open, high, low, close } = candle[side];
    return [
      minuteText(candle.startMs),
      text(open),
      text(high),
      text(low),
      text(close),
      decimalText(candle.quoteCount),
    ];
  });
  const closes = candles.map((candle) => candle[side].close);
  const runs = candles.at(-1)?.isComplete === false;
  return [
    ...tableLines(["start", "open", "high", "low", "close", "quotes"], rows),
    "",
    `${side} closes  ${sparkline(closes, CHART_WIDTH)}`,
    ...(runs ? ["The last candle still changes."] : []),
  ];
}
