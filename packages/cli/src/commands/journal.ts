import { stat } from "node:fs/promises";
import type { JournalProofView, JournalRebuildView } from "@propgate/contract";
import type { Command } from "commander";
import { checkAccountId } from "../check-account-id.ts";
import { EndWith, EXIT } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { type JournalSource, openJournalFile, openJournalSource } from "../journal-source.ts";
import { addOperatorOptions, type OperatorOptions } from "../operator-client.ts";
import { nameValueLines, printResult, tableLines } from "../output.ts";
import type { Terminal } from "../terminal.ts";
import { writeWholeFile } from "../whole-file.ts";

export interface JournalOptions extends OperatorOptions {
  readonly account?: string;
  readonly offline?: boolean;
  readonly databaseUrl?: string;
  readonly write?: boolean;
}

/** `propgate journal verify|export|rebuild`: verifies journals, exports one, and rebuilds the stored data from them. */
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
    .description(
      "Recompute the hash chain. Exit code 1 when a line was altered, or no account was found.",
    );
  verify.action(async () => {
    const options = verify.optsWithGlobals<JournalOptions>();
    const proof = await withJournalSource(terminal, options, (source) =>
      source.verify(accountOf(options)),
    );
    printResult(terminal, options, { value: proof, lines: proofLines(proof) });
    if (proof.broken.length > 0 || proof.accounts === 0) throw new EndWith(EXIT.refused);
  });
  const exported = offlineOptions(addOperatorOptions(journal.command("export")))
    .argument("<account>", "the account's id")
    .summary("write an account's journal to a file that rejudge reads")
    .description(
      "Write every line of the account's journal, with the catalogues of its decisions, as JSON lines.",
    )
    .requiredOption("--out <file>", "the file to write; only its owner may read it");
  exported.action(async (account: string) => {
    const options = exported.optsWithGlobals<JournalOptions & { readonly out: string }>();
    const { out } = options;
    const value = await writeWholeFile(
      out,
      () => openJournalFile(terminal, options, checkAccountId(account, "<account>")),
      async (unfinished) => ({ file: out, bytes: (await stat(unfinished)).size }),
    );
    const lines = [`Written to ${out}, ${value.bytes} bytes. To judge it: propgate rejudge ${out}`];
    printResult(terminal, options, { value, lines });
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
    const rebuilt = await withJournalSource(terminal, options, (source) =>
      source.rebuild(accountOf(options), write),
    );
    printResult(terminal, options, { value: rebuilt, lines: rebuiltLines(rebuilt, write) });
    if (rebuilt.different.length > rebuilt.written) throw new EndWith(EXIT.refused);
  });
}

function journalCommand(journal: Command, name: string): Command {
  return offlineOptions(
    addOperatorOptions(journal.command(name)).option("--account <id>", "only this account"),
  );
}

function accountOf({ account }: JournalOptions): string | null {
  return account === undefined ? null : checkAccountId(account, "--account");
}

function offlineOptions(command: Command): Command {
  return command
    .option("--offline", "open the data itself; an embedded database must not be in use")
    .addOption(databaseUrlOption("with --offline: PostgreSQL (PROPGATE_DATABASE_URL)"));
}

async function withJournalSource<Answer>(
  terminal: Terminal,
  options: JournalOptions,
  ask: (source: JournalSource) => Promise<Answer>,
): Promise<Answer> {
  accountOf(options);
  const source = await openJournalSource(terminal, options);
  try {
    return await ask(source);
  } finally {
    await source.close();
  }
}

function proofLines(proof: JournalProofView): readonly string[] {
  const figures = nameValueLines([
    ["accounts", String(proof.accounts)],
    ["lines", String(proof.events)],
    ["broken", String(proof.broken.length)],
  ]);
  if (proof.accounts === 0) {
    return [
      ...figures,
      "",
      "Nothing was checked: there is no account. Is it the right service or folder?",
    ];
  }
  if (proof.broken.length === 0) return [...figures, "", "No line was altered."];
  const rows = proof.broken.map((one) => [one.accountId, String(one.sequence), one.problem]);
  return [...figures, "", ...tableLines(["account", "line", "problem"], rows)];
}

function rebuiltLines(rebuilt: JournalRebuildView, write: boolean): readonly string[] {
  const figures = nameValueLines([
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
