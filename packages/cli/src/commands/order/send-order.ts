import { ENDPOINTS, ERRORS } from "@propgate/contract";
import { type OrderRequest, readOrder } from "@propgate/sdk";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../../cli-error.ts";
import { nameValueLines, printResult } from "../../output.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  type Credentials,
  readCredentials,
} from "../../profile/connection.ts";
import type { Terminal } from "../../terminal.ts";
import { prepare } from "../../trading/prepared-request.ts";
import { openTradingService, type TradingService } from "../../trading/service.ts";
import { unreadableAsCliError } from "../trading/read-command.ts";
import type { TradeFields } from "./fields.ts";
import {
  addSettleTimeoutOption,
  printFate,
  readSettleTimeout,
  type SettleOptions,
} from "./print-fate.ts";

export interface SendOptions extends ConnectionOptions, SettleOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Adds the options of every command that places, changes or cancels an order. */
export function addSendOptions(command: Command): Command {
  const asking = command
    .option("--dry-run", "print the body and the signed headers; do not send the order")
    .option("-y, --yes", "skip the confirmation; required without a terminal");
  return addConnectionOptions(addSettleTimeoutOption(asking));
}

/** A command that sends an order, and how it builds the order. */
export interface SendCommand<Options extends SendOptions> {
  readonly command: Command;
  readonly terminal: Terminal;
  /** Builds the body's `trade`. It may read orders and positions for that. */
  build(options: Options, service: TradingService): Promise<TradeFields> | TradeFields;
}

/** Builds and checks the order, asks the person for a confirmation, sends the order once, and prints its fate. */
export async function sendOrder<Options extends SendOptions>(
  toSend: SendCommand<Options>,
): Promise<void> {
  const { command, terminal } = toSend;
  const options = command.optsWithGlobals<Options>();
  if (options.dryRun !== true && options.yes !== true && !canPrompt(terminal))
    throw confirmationImpossibleError();
  readSettleTimeout(options);
  const credentials = await readCredentials(terminal, options);
  const service = openTradingService(credentials, () => terminal.now());
  const trade = await buildTrade(toSend, options, { service, credentials });
  const order = checkTrade(trade);
  if (options.dryRun === true) {
    await printDryRun(trade, { credentials, terminal, options });
    return;
  }
  if (options.yes !== true) await confirmOrder(trade, { credentials, terminal });
  await printFate({ terminal, options }, (call) => service.place(order, call));
}

/**
 * Builds the `trade`. It may read lists of the account, and an answer that differs from the contract is an error of the
 * service.
 */
async function buildTrade<Options extends SendOptions>(
  toSend: SendCommand<Options>,
  options: Options,
  { service, credentials }: { readonly service: TradingService; readonly credentials: Credentials },
): Promise<TradeFields> {
  try {
    return await toSend.build(options, service);
  } catch (error) {
    throw unreadableAsCliError(error, credentials);
  }
}

/** The order of a `trade`. A `trade` that is invalid in every market is a usage error, so that it is not sent. */
function checkTrade(trade: TradeFields): OrderRequest {
  const read = readOrder({ trade });
  if ("problem" in read) throw usageError(read.problem, `${fixOf(read.problem)}Nothing was sent.`);
  return read.order;
}

/** The remedy of a problem whose text names fields of the API; empty when the text is enough. */
function fixOf(problem: string): string {
  if (problem === ERRORS.missingSize.text) {
    return "Give exactly one of --quantity, --value and --leverage. ";
  }
  return /(trailing_percent|bracket_pct)' must be/.test(problem)
    ? "It is a share: 0.03 is 3 %. "
    : "";
}

function canPrompt(terminal: Terminal): boolean {
  return terminal.inputIsTyped && terminal.errorIsTerminal;
}

function confirmationImpossibleError(): Error {
  return usageError(
    "nothing was sent: a confirmation needs a terminal",
    "Add --yes to send it without a confirmation, or --dry-run to check it first.",
  );
}

interface SendContext {
  readonly credentials: Credentials;
  readonly terminal: Terminal;
}

async function confirmOrder(
  trade: TradeFields,
  { credentials, terminal }: SendContext,
): Promise<void> {
  terminal.error(`${nameValueLines(describeTrade(trade)).join("\n")}\n`);
  const question = `Send this to ${credentials.baseUrl} with ${credentials.source}?`;
  if (await terminal.prompts.confirm(question)) return;
  terminal.error("Nothing was sent.\n");
  throw new EndWith(EXIT.refused);
}

/** The fields of the order as they are sent, one row each. */
function describeTrade(trade: TradeFields): readonly (readonly [string, string])[] {
  return Object.entries(trade).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

async function printDryRun(
  trade: TradeFields,
  { credentials, terminal, options }: SendContext & { readonly options: SendOptions },
): Promise<void> {
  const { method, path } = ENDPOINTS.placeOrder;
  const body = JSON.stringify({ trade });
  const { headers } = await prepare(credentials, {
    method,
    target: path,
    body,
    nowMs: terminal.now(),
  });
  printResult(terminal, options, {
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
