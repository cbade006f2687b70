import { type Proof, textOption, wholeNumber } from "../proof.ts";
import { listOf, total } from "../result-parts.ts";

/** Sends hostile input of every kind; each property is a suite that holds for every input. */
export const FUZZ: Proof = {
  name: "fuzz",
  sentence: "Sends hostile input from every side; the check does it less often.",
  options: {
    runs: { value: "N", fallback: "1000", meaning: "inputs of each suite" },
    seed: { value: "N", fallback: "1", meaning: "the same number gives the same inputs" },
    only: { value: "TEXT", fallback: "", meaning: "only suites whose name contains this text" },
  },
  async run(given, report) {
    const { FUZZ_GROUPS } = await import("./all-groups.ts");
    const { runFuzz } = await import("./run-fuzz.ts");
    return runFuzz(FUZZ_GROUPS, {
      plan: { runs: wholeNumber(given, "runs"), seed: wholeNumber(given, "seed") },
      only: textOption(given, "only"),
      say: report,
    });
  },
  read(result) {
    const suites = listOf(result, "suites");
    const failures = total(suites, "failures");
    return {
      passed: failures === 0,
      figures: { properties: suites.length, inputs: total(suites, "runs"), failures },
    };
  },
  fullRuns: [
    {
      record: "fuzz",
      title: "Fuzzing",
      promise:
        "Headers, raw targets, bodies, cursors, files and single bits of every signed part: never a 500, never a hang, no secret in any answer, and the journal whole afterwards.",
      size: { seed: "1", runs: "2000" },
    },
  ],
};
