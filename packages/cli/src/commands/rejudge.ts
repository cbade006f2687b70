import type { JournalFileJudge } from "@propgate/server";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { fileLines } from "../file-lines.ts";
import { pairs, print } from "../output.ts";
import { progressOn } from "../render/progress.ts";
import type { Terminal } from "../terminal.ts";

type Judgement = NonNullable<ReturnType<JournalFileJudge["judgement"]>>;

/** `propgate rejudge`: makes every decision of an exported journal again. */
export function addRejudge(program: Command, terminal: Terminal): void {
  const command = program
    .command("rejudge")
    .argument("<file>", "the file of `propgate journal export` or of the journal page")
    .summary("make every decision of an exported journal again")
    .description(
      "Decide each command of the file again from its recorded inputs, and compare every event. Needs no " +
        "service. Exit code 1 when a line differs, or was not judged: an observation of a validator, or a decision of " +
        "another release.",
    )
    .option("--json", "print JSON");
  command.action(async (file: string) => {
    const options = command.optsWithGlobals<{ readonly json?: boolean }>();
    const judgement = await judged(terminal, file);
    print(terminal, options, { value: judgement, lines: judgementLines(judgement) });
    if (!isWhollyJudged(judgement)) throw new EndWith(EXIT.refused);
  });
}

/**
 * True when every line was judged and no line differs. A line that was not judged proves no correctness: a forger can
 * mark any line as an observation, or as a line of another release.
 */
function isWhollyJudged({ different, otherVersions, observed }: Judgement): boolean {
  return different === null && otherVersions.length === 0 && observed === 0;
}

function judgementLines(judgement: Judgement): readonly string[] {
  const { lines, judged: made, observed, otherVersions, different } = judgement;
  const figures = pairs([
    ["lines", String(lines)],
    ["decisions", String(made)],
    ...(observed === 0 ? [] : [["observations", String(observed)] as const]),
  ]);
  const needed = otherVersions.map(
    ({ version, decisions }) =>
      `${decisions} more decisions need Propgate ${version}; they were not judged.`,
  );
  if (different === null) {
    return [...figures, "", ...needed, observed === 0 ? "No judged line differs." : OBSERVED];
  }
  const { seq, why, decided, written } = different;
  return [
    ...figures,
    "",
    ...needed,
    `Line ${seq} is the first that differs: ${why}.`,
    ...(decided === null ? [] : [`decided: ${decided}`]),
    ...(written === null ? [] : [`written: ${written}`]),
  ];
}

const OBSERVED =
  "The lines follow each other by their hashes. They are observations of a validator, not decisions, so nothing can be decided again.";

/** Judges the file in one pass, line by line. */
async function judged(terminal: Terminal, file: string): Promise<Judgement> {
  const { createFileJudge } = await import("@propgate/server");
  const judge = createFileJudge();
  const progress = progressOn(terminal);
  try {
    for await (const text of fileLines(file)) {
      if (text !== "" && !judge.read(text)) break;
      showProgress(judge, progress);
    }
  } finally {
    progress.end();
  }
  const judgement = judge.judgement();
  if (judgement === null) throw usageError(`${file} is not the file of a journal`);
  return judgement;
}

const SHOWN_EVERY = 1_000;

function showProgress({ progress: at }: JournalFileJudge, progress: ReturnType<typeof progressOn>) {
  if (at === null || at.lines % SHOWN_EVERY !== 0) return;
  progress.show(`${at.lines} of ${at.version} lines`, at.lines / Math.max(1, at.version));
}
