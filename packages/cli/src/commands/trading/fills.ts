import {
  type FillItem,
  type HistoryRequest,
  LIMITS,
  type Linked,
  parseHistoryQuery,
} from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import { printResult, tableLines } from "../../output.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { decimalText, minuteText, signedMoneyText } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { parseTimeParameter } from "../../typed-time.ts";
import { runRead } from "./read-command.ts";

interface FillsOptions extends ConnectionOptions {
  readonly limit: string;
  readonly after?: string;
  readonly since?: string;
  readonly pair?: string;
}

/** `propgate fills`: lists the fills of orders. */
export function addFills(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(program.command("fills"))
    .summary("list the fills of orders")
    .description(
      "List the newest fills, oldest first, or those that follow --after or --since. Times are UTC. --json and " +
        "--csv have the whole fill with its order, its position and the request that caused it.",
    )
    .option("--limit <n>", `number of fills, 1 to ${LIMITS.eventsLimitMax}`, "20")
    .option("--after <cursor>", "only fills after this cursor or sequence")
    .option(
      "--since <time>",
      "only fills at this time or later: 2026-11-23, 2026-11-23T01:30Z or Unix milliseconds",
    )
    .option("--pair <pair>", "only fills of this pair");
  command.action(async () => {
    const options = command.optsWithGlobals<FillsOptions>();
    const request = readRequest(options);
    await runRead(terminal, options, async (service) => {
      const page = await service.fills(request);
      const value = options.csv === true ? page.items : page;
      printResult(terminal, options, { value, columns: COLUMNS, lines: fillLines(page.items) });
    });
  });
}

const COLUMNS: readonly string[] = ["sequence", "atMs", "data.tradePair", "data.direction"];

function readRequest({ limit, after, since, pair }: FillsOptions): HistoryRequest {
  const from = since === undefined ? since : parseTimeParameter(since, "--since");
  const given = { limit, after, since: from, tradePair: pair };
  const entries = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value]] as const],
  );
  const query = parseHistoryQuery(new Map(entries));
  if (query.ok) return query;
  throw usageError(
    query.message.replace(/^'(\w+)'/, (_, name: string) =>
      name === "tradePair" ? "--pair" : `--${name}`,
    ),
  );
}

function fillLines(fills: readonly FillItem<Linked>[]): readonly string[] {
  if (fills.length === 0) return ["No fills."];
  const rows = fills.map(({ atMs, data }) => [
    minuteText(atMs),
    data.tradePair,
    data.direction ?? "?",
    decimalText(data.quantity),
    decimalText(data.price),
    `${data.kind ?? "?"}${differenceNote(data)}${rateText(data)}`,
    signedMoneyText(netOf(data)),
  ]);
  return tableLines(["time", "pair", "side", "quantity", "price", "by", "pnl"], rows);
}

/** The result of a fill after its fee; null when the network did not send both figures. */
function netOf({ realizedPnl, fee }: FillItem<Linked>["data"]): number | null {
  return realizedPnl === null || fee === null ? null : realizedPnl - fee;
}

/**
 * The note at a fill of less or more than its order's size; empty otherwise. `order show` has the reason.
 * @rule D12.shortfall
 */
export function differenceNote({
  shortfall,
  excess,
}: Pick<FillItem<Linked>["data"], "shortfall" | "excess">): string {
  if (shortfall !== null) return `, ${decimalText(shortfall.quantity)} less`;
  return excess === null ? "" : `, ${decimalText(excess.quantity)} more`;
}

/** The note at an exit that used a stale conversion rate; empty otherwise. @rule D12.staleRate */
function rateText({ rateAgeMs }: FillItem<Linked>["data"]): string {
  return rateAgeMs === null ? "" : ` (rate ${Math.round(rateAgeMs / 1_000)} s old)`;
}
