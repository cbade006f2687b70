import { Command, CommanderError, Option } from "commander";
import { EndWith, EXIT, type ExitCode, usageError } from "./cli-error.ts";
import { addBackup } from "./commands/backup.ts";
import { addCompletion } from "./commands/client/completion.ts";
import { addDoctor } from "./commands/client/doctor.ts";
import { addProfile } from "./commands/client/profile.ts";
import { addJournal } from "./commands/journal.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addOperator } from "./commands/operator.ts";
import { addCancelAllAfter } from "./commands/order/cancel-all-after.ts";
import { addOrder } from "./commands/order/order.ts";
import { addSettle } from "./commands/order/settle.ts";
import { addPrices } from "./commands/prices/prices.ts";
import { addRejudge } from "./commands/rejudge.ts";
import { addRestore } from "./commands/restore.ts";
import { addSandbox } from "./commands/sandbox.ts";
import { addServe } from "./commands/serve.ts";
import { addSign } from "./commands/sign.ts";
import { addAccount } from "./commands/trading/account.ts";
import { addCandles } from "./commands/trading/candles.ts";
import { addEvents } from "./commands/trading/events.ts";
import { addFills } from "./commands/trading/fills.ts";
import { addInstruments } from "./commands/trading/instruments.ts";
import { addOrders } from "./commands/trading/orders.ts";
import { addPayouts } from "./commands/trading/payouts.ts";
import { addPositions } from "./commands/trading/positions.ts";
import { addTrades } from "./commands/trading/trades.ts";
import { addWatch } from "./commands/trading/watch.ts";
import { addVerify } from "./commands/verify.ts";
import { addMcp } from "./mcp/add-mcp.ts";
import { printFailure } from "./output.ts";
import { refuseSecretArgument } from "./profile/secret-as-id.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs one command line and returns the exit code. Lone surrogates in arguments are replaced by U+FFFD.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const given = argv.map((word) => word.toWellFormed());
  const program = buildProgram(terminal);
  try {
    refuseSecretArgument(given);
    await program.parseAsync(given, { from: "user" });
    return EXIT.done;
  } catch (error) {
    const json = given.includes("--json");
    if (error instanceof EndWith) return error.exitCode;
    if (error instanceof CommanderError) return printUsage(terminal, json, error);
    return printFailure(terminal, json, error);
  }
}

function printUsage(terminal: Terminal, json: boolean, error: CommanderError): ExitCode {
  if (error.exitCode === 0) return EXIT.done;
  // Without a command, the help has already been printed.
  if (error.code === "commander.help") return EXIT.usage;
  const [message = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const fix = suggestion?.replace(/^\((.*)\)$/, "$1") ?? "Add --help to see the command's options.";
  return printFailure(terminal, json, usageError(message, fix));
}

/** The program with all its commands. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command("propgate")
    .description(
      "Self-hosted trading service for prop accounts: serve it, trade on it, operate it.",
    )
    .version("0.1.0", "-V, --version", "print the version")
    .option("--json", "print results and errors as one line of JSON")
    .addOption(new Option("--csv", "print results as CSV").conflicts("json"))
    .option("--no-color", "print without colours (NO_COLOR)")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .configureHelp({ helpWidth: 80, showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
      outputError: () => {},
    })
    .addHelpText("after", EXIT_CODES)
    .exitOverride();
  for (const add of COMMANDS) add(program, terminal);
  return program;
}

const COMMANDS = [
  addServe,
  addSandbox,
  addDoctor,
  addSign,
  addVerify,
  addProfile,
  addAccount,
  addPositions,
  addOrders,
  addTrades,
  addPayouts,
  addInstruments,
  addCandles,
  addEvents,
  addFills,
  addOrder,
  addSettle,
  addCancelAllAfter,
  addWatch,
  addMcp,
  addCompletion,
  addOperator,
  addPrices,
  addJournal,
  addRejudge,
  addBackup,
  addRestore,
  addMigrate,
];

const EXIT_CODES = `
Exit codes: 0 done · 1 the answer is no · 2 wrong option, value or file ·
3 the service does not answer · 4 operator token missing or wrong ·
5 the service cannot start · 6 an order's fate is unknown ·
70 a fault of this program`;
