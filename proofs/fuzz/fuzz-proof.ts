import { type Proof, textOption, wholeNumberOption } from "../proof.ts";
import { resultList, sumNumber } from "../result-parts.ts";

/** Sends hostile input to every interface. Each suite checks one property for every input. */
export const FUZZ: Proof = {
  name: "fuzz",
  sentence: "Sends hostile input to every interface.",
  options: {
    runs: { value: "N", fallback: "1000", meaning: "inputs of each suite" },
    seed: { value: "N", fallback: "1", meaning: "the same seed gives the same inputs" },
    only: { value: "TEXT", fallback: "", meaning: "only suites whose name contains this text" },
  },
  async run(given, report) {
    const { FUZZ_GROUPS } = await import("./fuzz-groups.ts");
    const { runFuzz } = await import("./run-fuzz.ts");
    return runFuzz(FUZZ_GROUPS, {
      plan: { runs: wholeNumberOption(given, "runs"), seed: wholeNumberOption(given, "seed") },
      only: textOption(given, "only"),
      report,
    });
  },
  read(result) {
    const suites = resultList(result, "suites");
    const failures = sumNumber(suites, "failures");
    return {
      passed: failures === 0,
      figures: { properties: suites.length, inputs: sumNumber(suites, "runs"), failures },
    };
  },
  fullRuns: [
    {
      record: "fuzz",
      title: "Fuzzing",
      promise:
        "Random headers, raw targets, bodies, cursors and files, and flipped bits in every signed part. The service never answers 500, never hangs and never shows a secret, and its journal is complete afterwards.",
      size: { seed: "1", runs: "2000" },
    },
  ],
};
