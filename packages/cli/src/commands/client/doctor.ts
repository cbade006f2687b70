import type { Command } from "commander";
import { CliError, EndWith, EXIT } from "../../cli-error.ts";
import type { Check } from "../../doctor/check.ts";
import { checkContact } from "../../doctor/contact.ts";
import { runSignedChecks } from "../../doctor/signed-checks.ts";
import { printResult, TABLE_WIDTH, wrapText } from "../../output.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  type Credentials,
  findCredentials,
} from "../../profile/connection.ts";
import { type Paint, paintFor } from "../../render/paint.ts";
import type { Terminal } from "../../terminal.ts";

/** `propgate doctor`: finds out why signed requests of this machine fail. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = addConnectionOptions(program.command("doctor"))
    .summary("find out why requests fail: address, clock, key, signature")
    .description(
      "Check address, TLS, clock, brand word, key, signature, nonce and scopes. Places nothing; uses two of " +
        "the key's reads and one empty order, which is rejected. Ends with 0 when every check passes, 1 " +
        "when one fails, 3 when the service does not answer.",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<ConnectionOptions>();
    const credentials = await findCredentials(terminal, options);
    const { checks, reached } = await runChecks(credentials, terminal);
    const failures = checks.filter(({ state }) => state === "failed").length;
    printResult(terminal, options, {
      value: checks,
      lines: reportLines(checks, paintFor(terminal, options)),
    });
    if (!reached) throw noAnswerError(checks);
    if (failures > 0) throw new EndWith(EXIT.refused);
  });
}

/**
 * The error when the service does not answer. It is printed on standard error too, like every error with exit code 3.
 */
function noAnswerError(checks: readonly Check[]): CliError {
  const first = checks.find(({ state }) => state === "failed");
  const message = first?.detail ?? "the service does not answer";
  return new CliError({ message, fix: first?.fix ?? null, exitCode: EXIT.unreachable });
}

async function runChecks(
  credentials: Credentials,
  terminal: Terminal,
): Promise<{ readonly checks: readonly Check[]; readonly reached: boolean }> {
  const { checks, reached } = await checkContact(credentials, () => terminal.now());
  if (reached === null) return { checks, reached: false };
  const { aheadMs, brand } = reached;
  // The signed checks use the service's own clock and brand word. So a wrong clock or brand word, which is reported
  // already, does not hide other problems.
  const signing = {
    credentials: { ...credentials, brand: brand ?? credentials.brand },
    now: () => terminal.now() - (aheadMs ?? 0),
  };
  return { checks: [...checks, ...(await runSignedChecks(signing))], reached: true };
}

const NAME_WIDTH = 9;
const STATE_WIDTH = 7;
const INDENT = " ".repeat(STATE_WIDTH + NAME_WIDTH + 2);

function reportLines(checks: readonly Check[], paint: Paint): readonly string[] {
  const failures = checks.filter(({ state }) => state === "failed").length;
  const verdict =
    failures === 0
      ? paint.good("All checks passed.")
      : paint.bad(failures === 1 ? "One check failed." : `${failures} checks failed.`);
  return [...checks.flatMap((check) => checkLines(check, paint)), "", verdict];
}

function checkLines({ name, state, detail, fix }: Check, paint: Paint): readonly string[] {
  const style = { ok: paint.good, failed: paint.bad, skipped: paint.dim }[state];
  const width = TABLE_WIDTH - INDENT.length;
  const [first = "", ...rest] = wrapText(detail, width);
  return [
    `${style(state.padEnd(STATE_WIDTH))} ${name.padEnd(NAME_WIDTH)} ${first}`,
    ...rest.map((line) => INDENT + line),
    ...(fix === null ? [] : wrapText(fix, width).map((line) => INDENT + paint.strong(line))),
  ];
}
