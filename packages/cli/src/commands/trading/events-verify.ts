import type { Command } from "commander";
import { CliError, EXIT } from "../../cli-error.ts";
import { readFileLines } from "../../file-lines.ts";
import { nameValueLines, printResult } from "../../output.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  readCredentials,
} from "../../profile/connection.ts";
import type { Terminal } from "../../terminal.ts";
import { type CheckedEvents, createEventCheck } from "../../trading/event-check.ts";
import { openTradingService } from "../../trading/service.ts";

interface VerifyOptions extends ConnectionOptions {
  readonly file?: string;
}

/** `propgate events verify`: checks the chain of the account's events, or of a file of events. */
export function addEventsVerify(events: Command, terminal: Terminal): void {
  const command = addConnectionOptions(events.command("verify"))
    .summary("check the events by the hashes of the journal")
    .description(
      "Check that each event follows the one before by its number and hash, is of the same account, and shows " +
        "what its line says. With --file no service is asked. Exit code 1 when an event differs or is missing, " +
        "or when none was checked.",
    )
    .option("--file <file>", "a file that `events tail --json --proof` wrote");
  command.action(async () => {
    const options = command.optsWithGlobals<VerifyOptions>();
    const { file } = options;
    const value = await (file === undefined
      ? checkAccount(terminal, options)
      : checkEvents(readFileLines(file), { place: `${file}, line`, accountId: null }));
    printResult(terminal, options, { value, lines: checkedLines(value) });
  });
}

async function checkAccount(terminal: Terminal, options: VerifyOptions): Promise<CheckedEvents> {
  const credentials = await readCredentials(terminal, options);
  const service = openTradingService(credentials, () => terminal.now());
  const { accountId } = await service.account();
  const stream = service.eventStream({ proof: true }, { until: "head" });
  return checkEvents(textsOf(stream), { place: `${credentials.baseUrl}, event`, accountId });
}

async function* textsOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield JSON.stringify(value);
}

/**
 * Checks the events of these lines, or throws with the first problem, also when no event could be checked. A problem
 * begins with `place` and the line's number. `accountId` is null when the events may belong to any account.
 */
async function checkEvents(
  texts: AsyncIterable<string>,
  { place, accountId }: { readonly place: string; readonly accountId: string | null },
): Promise<CheckedEvents> {
  const { provedEvent } = await import("@propgate/server");
  const events = createEventCheck(provedEvent);
  let number = 0;
  for await (const text of texts) {
    number += 1;
    const problem = await events.read(text);
    if (problem !== null) throw differenceError(`${place} ${number}: ${problem}`);
  }
  const summary = events.events;
  if (summary === null || summary.checked === 0) {
    throw differenceError(
      `${place} ${number}: no event was checked, because none follows another one`,
      null,
    );
  }
  if (accountId !== null && summary.accountId !== accountId) {
    throw differenceError(`the events are of account ${summary.accountId}, not of ${accountId}`);
  }
  return summary;
}

const ALTERED =
  "It was altered or cut, or is of a service of another version. `propgate events tail --json --proof` writes such a file.";

function differenceError(message: string, fix: string | null = ALTERED): CliError {
  return new CliError({ message, fix, exitCode: EXIT.refused });
}

function checkedLines({ accountId, checked, from, to }: CheckedEvents): readonly string[] {
  return [
    ...nameValueLines([
      ["account", accountId],
      ["checked", String(checked)],
      ["first", String(from)],
      ["last", to],
    ]),
    "",
    "Each follows the one before by its hash, and shows what its line says.",
    ...(from === 1 ? [] : [`Event ${from} was not checked by its hash: nothing is before it.`]),
  ];
}
