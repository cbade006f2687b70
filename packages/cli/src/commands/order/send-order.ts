import { ENDPOINTS, parsePlaceOrder } from "@propgate/contract";
import type { Command } from "commander";
import { CliError, EndWith, EXIT, usageError } from "../../cli-error.ts";
import { pairs, print } from "../../output.ts";
import {
  type ConnectionOptions,
  type Credentials,
  connectionOptions,
  readCredentials,
} from "../../profile/connection.ts";
import { type Paint, paintFor } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { prepare } from "../../trading/exchange.ts";
import { openTradingService, type TradingService } from "../../trading/service.ts";
import { fateLines } from "./fate-lines.ts";
import type { TradeFields } from "./fields.ts";

export interface SendOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The options of every command that places, changes or takes back an order. */
export function sendOptions(command: Command): Command {
  return connectionOptions(
    command
      .option("--dry-run", "print the body and the signed headers; send nothing")
      .option("-y, --yes", "do not ask; needed where nobody can be asked"),
  );
}

export interface Ordering<Options extends SendOptions> {
  readonly command: Command;
  readonly terminal: Terminal;
  /** The body's `trade`; it may look at what rests or is open. */
  build(options: Options, service: TradingService): Promise<TradeFields> | TradeFields;
}

/** Builds, checks, asks, sends once, and tells what became of it. */
export async function sendOrder<Options extends SendOptions>(
  ordering: Ordering<Options>,
): Promise<void> {
  const { command, terminal } = ordering;
  const options = command.optsWithGlobals<Options>();
  if (options.dryRun !== true && options.yes !== true && !canAsk(terminal)) throw nobodyToAsk();
  const credentials = await readCredentials(terminal, options);
  const service = openTradingService(credentials, () => terminal.now());
  const trade = await ordering.build(options, service);
  check(trade);
  if (options.dryRun === true) {
    await printDryRun(trade, { credentials, terminal, options });
    return;
  }
  if (options.yes !== true) await ask(trade, { credentials, terminal });
  const fate = await service.place({ trade });
  const paint: Paint = paintFor(terminal, options);
  print(terminal, options, { value: fate, lines: fateLines(fate, paint) });
  if (fate.fate === "rejected") throw new EndWith(EXIT.refused);
  if (fate.fate === "unknown") throw nobodyKnows(fate.reason);
}

function nobodyKnows(reason: string): CliError {
  return new CliError({
    message: `nobody can say whether the order was accepted: ${reason}`,
    fix: "Look before you send it again: propgate positions, propgate orders",
    exitCode: EXIT.unknownFate,
  });
}

/** What the service would refuse whatever the market is, before anything is sent. */
function check(trade: TradeFields): void {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) throw usageError(parsed.message, "Nothing was sent.");
}

function canAsk(terminal: Terminal): boolean {
  return terminal.inputIsTyped && terminal.errorIsTerminal;
}

function nobodyToAsk(): Error {
  return usageError(
    "nothing was sent: there is nobody to ask",
    "Add --yes to send it without being asked, or --dry-run to look at it first.",
  );
}

interface Context {
  readonly credentials: Credentials;
  readonly terminal: Terminal;
}

async function ask(trade: TradeFields, { credentials, terminal }: Context): Promise<void> {
  terminal.error(`${pairs(describeTrade(trade)).join("\n")}\n`);
  const question = `Send this to ${credentials.baseUrl} with ${credentials.source}?`;
  if (await terminal.prompts.confirm(question)) return;
  terminal.error("Nothing was sent.\n");
  throw new EndWith(EXIT.refused);
}

/** The fields as they are sent. */
function describeTrade(trade: TradeFields): readonly (readonly [string, string])[] {
  return Object.entries(trade).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

async function printDryRun(
  trade: TradeFields,
  { credentials, terminal, options }: Context & { readonly options: SendOptions },
): Promise<void> {
  const { method, path } = ENDPOINTS.placeOrder;
  const body = JSON.stringify({ trade });
  const { headers } = await prepare(credentials, {
    ...{ method, target: path, body },
    nowMs: terminal.now(),
  });
  print(terminal, options, {
    value: { method, url: credentials.baseUrl + path, headers, body },
    lines: [
      `${method} ${credentials.baseUrl}${path}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "",
      body,
      "",
      "Nothing was sent.",
    ],
  });
}
