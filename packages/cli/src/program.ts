import { Command, CommanderError, Option } from "commander";
import { type CliError, EndWith, EXIT, usageError } from "./cli-error.ts";
import { cleanTerminal } from "./printable.ts";
import { refuseSecretArgument } from "./profile/secret-argument.ts";
import { COMMAND_NAMES, type CommandName } from "./render/invocation.ts";
import type { BareTerminal, Terminal } from "./terminal.ts";

/** Runs one command line and returns the exit code. Lone surrogates in arguments become U+FFFD. */
export async function runCommandLine(argv: readonly string[], bare: BareTerminal): Promise<number> {
  const given = argv.map((word) => word.toWellFormed());
  try {
    refuseSecretArgument(given);
    const program = buildProgram(bare, await loadCommands(commandsNeededFor(given)));
    await program.parseAsync(given, { from: "user" });
    return EXIT.done;
  } catch (error) {
    if (error instanceof EndWith) return error.exitCode;
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return EXIT.done;
    // Commander has printed the help already when no command was given.
    if (isUsage && error.code === "commander.help") return EXIT.usage;
    const { printFailure } = await import("./output.ts");
    return printFailure(
      cleanTerminal(bare),
      given.includes("--json"),
      isUsage ? asUsageError(error) : error,
    );
  }
}

function asUsageError(error: CommanderError): CliError {
  const [message = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const fix = suggestion?.replace(/^\((.*)\)$/, "$1") ?? "Add --help to see the command's options.";
  return usageError(message, fix);
}

/**
 * The commands whose modules a command line needs: the named command; all of them for the help, for a wrong name and
 * for `completion`; none for the version.
 */
function commandsNeededFor(given: readonly string[]): readonly CommandName[] {
  const named = given.find((word) => !word.startsWith("-"));
  if (named === undefined && given.some((word) => word === "--version" || word === "-V")) return [];
  const found = COMMAND_NAMES.filter((name) => name === named && name !== "completion");
  return found.length === 0 ? COMMAND_NAMES : found;
}

/** Imports the modules of these commands and returns the functions that add them. */
export function loadCommands(
  names: readonly CommandName[] = COMMAND_NAMES,
): Promise<readonly AddCommand[]> {
  const loads = Object.entries(COMMANDS).filter(([name]) => names.some((one) => one === name));
  return Promise.all(loads.map(([, load]) => load()));
}

/** The program with these commands, which write to a clean terminal. */
export function buildProgram(bare: BareTerminal, commands: readonly AddCommand[]): Command {
  const terminal = cleanTerminal(bare);
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
    .addHelpText("beforeAll", ({ command }) => refuseUnknownCommand(command))
    .exitOverride();
  for (const add of commands) add(program, terminal);
  refuseSecondValues(program);
  return program;
}

/**
 * Rejects a second value of an option that is not a list, because commander would drop the first value without an
 * error.
 */
function refuseSecondValues(command: Command): void {
  const takesValue = ({ required, optional }: Option): boolean => required || optional;
  const named = new Set(command.options.filter(takesValue).map((one) => one.attributeName()));
  const given = new Set<string>();
  for (const option of command.options) {
    const name = option.attributeName();
    if (!named.has(name)) continue;
    command.on(`option:${option.name()}`, () => {
      const isList = Array.isArray(command.getOptionValue(name));
      if (given.has(name) && !isList)
        command.error(`error: option '${option.flags}' is given twice`);
      given.add(name);
    });
  }
  for (const one of command.commands) refuseSecondValues(one);
}

/** Rejects `propgate account nonsense --help`, for which commander would print the help of the group. */
function refuseUnknownCommand(group: Command): string {
  const [name = "help"] = group.args;
  const isGroup = group.commands.length > 0 && !name.startsWith("-");
  const isKnown = name === "help" || group.commands.some((one) => one.name() === name);
  if (isGroup && !isKnown) {
    group.error(`error: unknown command '${name}'\n(Add only --help to see the commands.)`);
  }
  return "";
}

/** Adds one command, with its subcommands, to the program. */
export type AddCommand = (program: Command, terminal: Terminal) => void;

/** The commands in the order of the help. Each loads its modules only when it is needed. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<AddCommand>>> = {
  serve: async () => (await import("./commands/serve.ts")).addServe,
  sandbox: async () => (await import("./commands/sandbox.ts")).addSandbox,
  doctor: async () => (await import("./commands/client/doctor.ts")).addDoctor,
  sign: async () => (await import("./commands/sign.ts")).addSign,
  verify: async () => (await import("./commands/verify.ts")).addVerify,
  profile: async () => (await import("./commands/client/profile.ts")).addProfile,
  account: async () => (await import("./commands/trading/account.ts")).addAccount,
  positions: async () => (await import("./commands/trading/positions.ts")).addPositions,
  orders: async () => (await import("./commands/trading/orders.ts")).addOrders,
  trades: async () => (await import("./commands/trading/trades.ts")).addTrades,
  payouts: async () => (await import("./commands/trading/payouts.ts")).addPayouts,
  instruments: async () => (await import("./commands/trading/instruments.ts")).addInstruments,
  candles: async () => (await import("./commands/trading/candles.ts")).addCandles,
  events: async () => (await import("./commands/trading/events.ts")).addEvents,
  fills: async () => (await import("./commands/trading/fills.ts")).addFills,
  order: async () => (await import("./commands/order/order.ts")).addOrder,
  settle: async () => (await import("./commands/order/settle.ts")).addSettle,
  "cancel-all-after": async () =>
    (await import("./commands/order/cancel-all-after.ts")).addCancelAllAfter,
  watch: async () => (await import("./commands/trading/watch.ts")).addWatch,
  mcp: async () => (await import("./mcp/add-mcp.ts")).addMcp,
  completion: async () => (await import("./commands/client/completion.ts")).addCompletion,
  operator: async () => (await import("./commands/operator.ts")).addOperator,
  prices: async () => (await import("./commands/prices/prices.ts")).addPrices,
  journal: async () => (await import("./commands/journal.ts")).addJournal,
  evidence: async () => (await import("./commands/evidence.ts")).addEvidence,
  rejudge: async () => (await import("./commands/rejudge.ts")).addRejudge,
  backup: async () => (await import("./commands/backup.ts")).addBackup,
  restore: async () => (await import("./commands/restore.ts")).addRestore,
  migrate: async () => (await import("./commands/migrate.ts")).addMigrate,
};

const EXIT_CODES = `
Exit codes: 0 done · 1 the answer is no · 2 wrong option, value or file ·
3 the service does not answer · 4 operator token missing or wrong ·
5 the service cannot start · 6 an order's fate is unknown ·
70 a fault of this program`;
