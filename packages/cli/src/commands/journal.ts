import { writeFile } from "node:fs/promises";
import type { JournalProofView, JournalRebuildView } from "@propgate/contract";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { exportedJournal, type JournalSource, openJournalSource } from "../journal-source.ts";
import { type OperatorOptions, operatorOptions } from "../operator-client.ts";
import { pairs, print, table } from "../output.ts";
import type { Terminal } from "../terminal.ts";

export interface JournalOptions extends OperatorOptions {
  readonly account?: string;
  readonly offline?: boolean;
  readonly databaseUrl?: string;
  readonly write?: boolean;
}

/** `propgate journal verify|export|rebuild`: verifies stored data against the journals. */
export function addJournal(program: Command, terminal: Terminal): void {
  const journal = program
    .command("journal")
    .summary("verify and rebuild every account from its journal")
    .description(
      "Work on a running service through its operator's interface, or, with --offline, on the data of " +
        "a stopped one.",
    );
  const verify = journalCommand(journal, "verify")
    .summary("recompute the hash chain of every line")
    .description("Recompute the hash chain. Exit code 1 when a line was altered.");
  verify.action(async () => {
    const options = verify.optsWithGlobals<JournalOptions>();
    const proof = await work(terminal, options, (source) => source.verify(options.account ?? null));
    print(terminal, options, { value: proof, lines: proofLines(proof) });
    if (proof.broken.length > 0) throw new EndWith(EXIT.refused);
  });
  const exported = operatorOptions(journal.command("export"))
    .argument("<account>", "the account's id")
    .summary("write an account's journal to a file that rejudge reads")
    .description(
      "Write every line of the account's journal, with the catalogues of its decisions, as JSON lines. " +
        "Reads PostgreSQL, or the data folder of a stopped service.",
    )
    .addOption(databaseUrlOption("PostgreSQL (PROPGATE_DATABASE_URL)"))
    .requiredOption("--out <file>", "the file to write; it must not exist");
  exported.action(async (account: string) => {
    const options = exported.optsWithGlobals<JournalOptions & { readonly out: string }>();
    const lines = await exportedJournal(terminal, options, account);
    if (lines.length === 0) throw usageError("there is no such account with a journal");
    try {
      await writeFile(options.out, `${lines.join("\n")}\n`, { flag: "wx" });
    } catch (cause) {
      throw usageError(`${options.out} cannot be written: ${String(cause)}`);
    }
    const value = { file: options.out, texts: lines.length };
    print(terminal, options, { value, lines: [`Written to ${options.out}.`] });
  });
  const rebuild = journalCommand(journal, "rebuild")
    .summary("rebuild every account from the journal and compare")
    .description(
      "From its journal, rebuild every account's state, trades, payouts and daily returns, and compare " +
        "them with the stored data. Exit code 1 when one differs and is not replaced.",
    )
    .option("--write", "replace stored data that differs");
  rebuild.action(async () => {
    const options = rebuild.optsWithGlobals<JournalOptions>();
    const write = options.write === true;
    const rebuilt = await work(terminal, options, (source) =>
      source.rebuild(options.account ?? null, write),
    );
    print(terminal, options, { value: rebuilt, lines: rebuiltLines(rebuilt, write) });
    if (rebuilt.different.length > rebuilt.written) throw new EndWith(EXIT.refused);
  });
}

function journalCommand(journal: Command, name: string): Command {
  return operatorOptions(journal.command(name))
    .option("--account <id>", "only this account")
    .option("--offline", "open the data itself; the service must not be running on it")
    .addOption(databaseUrlOption("with --offline: PostgreSQL (PROPGATE_DATABASE_URL)"));
}

async function work<Answer>(
  terminal: Terminal,
  options: JournalOptions,
  ask: (source: JournalSource) => Promise<Answer>,
): Promise<Answer> {
  const source = await openJournalSource(terminal, options);
  try {
    return await ask(source);
  } finally {
    await source.close();
  }
}

function proofLines(proof: JournalProofView): readonly string[] {
  const figures = pairs([
    ["accounts", String(proof.accounts)],
    ["lines", String(proof.events)],
    ["broken", String(proof.broken.length)],
  ]);
  if (proof.broken.length === 0) return [...figures, "", "No line was altered."];
  const rows = proof.broken.map((one) => [one.accountId, String(one.sequence), one.problem]);
  return [...figures, "", ...table(["account", "line", "problem"], rows)];
}

function rebuiltLines(rebuilt: JournalRebuildView, write: boolean): readonly string[] {
  const figures = pairs([
    ["accounts", String(rebuilt.accounts)],
    ["different", String(rebuilt.different.length)],
    ["replaced", String(rebuilt.written)],
  ]);
  if (rebuilt.different.length === 0) {
    return [...figures, "", "All stored data matches the journals."];
  }
  const hint = write
    ? "Restart every running node, because it may have the replaced data in memory."
    : "Add --write to replace them with the data of the journals.";
  return [...figures, "", ...rebuilt.different, "", hint];
}
