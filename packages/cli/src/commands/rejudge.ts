import type { JournalFileJudge } from "@propgate/server";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { readFileLines } from "../file-lines.ts";
import { nameValueLines, printResult } from "../output.ts";
import { createProgress } from "../render/progress.ts";
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
    const judgement = await judgeFile(terminal, file);
    printResult(terminal, options, { value: judgement, lines: judgementLines(judgement) });
    if (!isWhollyJudged(judgement)) throw new EndWith(EXIT.refused);
  });
}

/**
 * True when every line was decided again and no line differs. A line that was not decided again proves no correctness:
 * a forger can mark any line as an observation, or as a line of another release.
 */
function isWhollyJudged({ different, otherVersions, observed }: Judgement): boolean {
  return different === null && otherVersions.length === 0 && observed === 0;
}

function judgementLines(judgement: Judgement): readonly string[] {
  const { lines, judged: made, observed, otherVersions, different } = judgement;
  const figures = nameValueLines([
    ["lines", String(lines)],
    ["decisions", String(made)],
    ...(observed === 0 ? [] : [["observations", String(observed)] as const]),
  ]);
  const needed = otherVersions.map(
    ({ version, decisions }) =>
      `${decisions} more decisions need Propgate ${version}; they were not judged.`,
  );
  if (different === null) {
    return [...figures, "", ...needed, observed === 0 ? "No judged line differs." : OBSERVED_NOTE];
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

const OBSERVED_NOTE =
  "The lines follow each other by their hashes. They are observations of a validator, not decisions, so nothing can be decided again.";

/** Decides the lines of the file again, in one pass. */
async function judgeFile(terminal: Terminal, file: string): Promise<Judgement> {
  const { createFileJudge } = await import("@propgate/server");
  const judge = createFileJudge();
  const progress = createProgress(terminal);
  try {
    for await (const text of readFileLines(file)) {
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

const LINES_PER_UPDATE = 1_000;

function showProgress(
  { progress: at }: JournalFileJudge,
  progress: ReturnType<typeof createProgress>,
) {
  if (at === null || at.lines % LINES_PER_UPDATE !== 0) return;
  progress.show(`${at.lines} of ${at.version} lines`, at.lines / Math.max(1, at.version));
}
