import type { EvidenceVerdict } from "@propgate/server";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { nameValueLines, printResult } from "../output.ts";
import { readTextFile } from "../secret.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate evidence verify`: checks the evidence of an account's end without a running service. */
export function addEvidence(program: Command, terminal: Terminal): void {
  const evidence = program
    .command("evidence")
    .summary("check the evidence of an account's end")
    .description("Work with the file of GET /accounts/ID/evidence. Needs no service.");
  const verify = evidence
    .command("verify")
    .argument("<file>", "the evidence")
    .summary("check its signature, its chain of lines and the decision that ended the account")
    .description(
      "Check the chain of the journal's lines, make every decision again, make every other part again " +
        "from the lines, and check the signature. Exit code 1 when a part does not hold, and 2 when the " +
        "file cannot be read.",
    )
    .requiredOption("--key <file>", "the answer of GET /api/v1/evidence-keys, or one of its items")
    .option("--json", "print JSON");
  verify.action(async (file: string) => {
    const options = verify.optsWithGlobals<{ readonly key: string; readonly json?: boolean }>();
    const [text, keys] = [
      await readTextFile(file, "evidence"),
      await readTextFile(options.key, "keys"),
    ];
    const { verifyEvidence } = await import("@propgate/server");
    const verdict = verifyEvidence(text, keys);
    if (verdict.verdict === "unreadable") throw usageError(verdict.why);
    printResult(terminal, options, { value: verdict, lines: verdictLines(verdict) });
    if (verdict.verdict === "fails") throw new EndWith(EXIT.refused);
  });
}

function verdictLines(
  verdict: Exclude<EvidenceVerdict, { readonly verdict: "unreadable" }>,
): readonly string[] {
  if (verdict.verdict === "fails") {
    return [`The evidence does not hold. Part ${verdict.part}: ${verdict.why}`];
  }
  const figures = nameValueLines([
    ["lines", `${verdict.lines}, proved from line ${verdict.from}`],
    ["decisions", String(verdict.decisions)],
    ["key", verdict.keyId],
  ]);
  return [...verdict.explanation, "", ...figures, "", "The evidence holds."];
}
