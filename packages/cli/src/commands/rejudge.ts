import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { pairs, print } from "../output.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate rejudge`: makes every decision of an exported journal again. */
export function addRejudge(program: Command, terminal: Terminal): void {
  const command = program
    .command("rejudge")
    .argument("<file>", "the file of `propgate journal export`")
    .summary("make every decision of an exported journal again")
    .description(
      "Decide each command of the file again from its recorded inputs, and compare every event. Needs no " +
        "service. Exit code 1 when a line differs, or a decision needs another release.",
    )
    .option("--json", "print JSON");
  command.action(async (file: string) => {
    const options = command.optsWithGlobals<{ readonly json?: boolean }>();
    const judgement = await judged(file);
    const { lines, judged: made, withoutInputs, otherVersions, different } = judgement;
    const figures = pairs([
      ["lines", String(lines)],
      ["decisions", String(made)],
      ["without inputs", String(withoutInputs)],
    ]);
    const needed = otherVersions.map(
      (version) => `Other decisions need Propgate ${version}; they were not judged.`,
    );
    const verdict =
      different === null
        ? "No judged line differs."
        : `Line ${different.seq} is the first that differs. ${different.why}`;
    print(terminal, options, { value: judgement, lines: [...figures, "", ...needed, verdict] });
    if (different !== null || otherVersions.length > 0) throw new EndWith(EXIT.refused);
  });
}

async function judged(file: string) {
  const { rejudgeExport } = await import("@propgate/server");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw usageError(`${file} cannot be read: ${String(cause)}`);
  });
  try {
    const judgement = rejudgeExport(text);
    if (judgement !== null) return judgement;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw usageError(`${file} is not a file of propgate journal export`);
}
