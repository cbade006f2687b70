import { type Proof, wholeNumberOption } from "../proof.ts";
import { resultNumber } from "../result-parts.ts";

/** Compares random lives of accounts with models of the rules. The lives are in `packages/core/src/testing/lives`. */
export const LIVES: Proof = {
  name: "lives",
  sentence:
    "Runs random lives of accounts; network and independent models must agree after every step.",
  options: {
    lives: { value: "N", fallback: "1000", meaning: "accounts" },
    seed: { value: "N", fallback: "1", meaning: "the same seed gives the same lives" },
  },
  async run(given) {
    const { runLives } = await import("../../packages/core/src/testing/lives/run-lives.ts");
    const { lives, steps, events, happened, refused, accepted } = runLives({
      lives: wholeNumberOption(given, "lives"),
      seed: wholeNumberOption(given, "seed"),
    });
    return {
      lives,
      steps,
      events,
      happened: counted(happened),
      refused: counted(refused),
      accepted: counted(accepted),
    };
  },
  read(result) {
    const figures = { lives: resultNumber(result, "lives"), steps: resultNumber(result, "steps") };
    return { passed: true, figures: { ...figures, events: resultNumber(result, "events") } };
  },
  fullRuns: [
    {
      record: "lives",
      title: "Random lives of accounts",
      promise:
        "Accounts trade, fail, pass, go pro and are paid. After each step they equal independent models of ledger, carry, days, objectives and payouts.",
      size: { seed: "1", lives: "20000" },
    },
  ],
};

function counted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
