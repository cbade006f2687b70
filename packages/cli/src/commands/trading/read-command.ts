import type { Command } from "commander";
import { CliError, EXIT } from "../../cli-error.ts";
import { printResult } from "../../output.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  type Credentials,
  readCredentials,
} from "../../profile/connection.ts";
import { type Paint, paintFor } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";
import { openTradingService, type TradingService } from "../../trading/service.ts";
import { isUnreadable } from "../../unreadable-answer.ts";

/** A command that reads: its help, and how it gets its result. */
export interface ReadCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Reads the result. `isForPerson` is true when the lines are printed, and false for JSON and CSV. */
  run(service: TradingService, paint: Paint, isForPerson: boolean): Promise<ReadResult>;
}

/** A result: its value for JSON and CSV, and its lines for a person. */
export interface ReadResult {
  readonly value: unknown;
  readonly lines: readonly string[];
  /** The CSV columns of a list. */
  readonly columns?: readonly string[];
}

/** Adds a command that reads the signed API with a trader's key. */
export function addReadCommand(program: Command, terminal: Terminal, what: ReadCommand): Command {
  const command = addConnectionOptions(program.command(what.name))
    .summary(what.summary)
    .description(what.description);
  return command.action(async () => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    const isForPerson = options.json !== true && options.csv !== true;
    await runRead(terminal, options, async (service) => {
      printResult(
        terminal,
        options,
        await what.run(service, paintFor(terminal, options), isForPerson),
      );
    });
  });
}

/**
 * Runs the work of a command that reads. An answer that differs from the contract becomes an error of the service, not
 * a fault of this program.
 */
export async function runRead<Value>(
  terminal: Terminal,
  options: ConnectionOptions,
  work: (service: TradingService) => Promise<Value>,
): Promise<Value> {
  const credentials = await readCredentials(terminal, options);
  try {
    return await work(openTradingService(credentials, () => terminal.now()));
  } catch (error) {
    throw unreadableAsCliError(error, credentials);
  }
}

/** An unreadable answer as an error for the terminal; any other error unchanged. */
export function unreadableAsCliError(error: unknown, { baseUrl }: Credentials): unknown {
  if (!isUnreadable(error)) return error;
  return new CliError(
    {
      message: `unexpected answer of ${baseUrl}: ${error.message}`,
      fix: "Check --url, and use the command of the same version as the service. --json prints the answer as it is.",
      exitCode: EXIT.unreachable,
    },
    { cause: error },
  );
}
