import { type Proof, wholeNumber } from "../proof.ts";
import { numberOf } from "../result-parts.ts";

/** Random lives of accounts beside models of the rules; the lives are in `packages/core/src/testing/lives`. */
export const LIVES: Proof = {
  name: "lives",
  sentence:
    "Lives random accounts and proves that network and models agree after every step of each.",
  options: {
    lives: { value: "N", fallback: "1000", meaning: "accounts" },
    seed: { value: "N", fallback: "1", meaning: "the same number gives the same lives" },
  },
  async run(given) {
    const { runLives } = await import("../../packages/core/src/testing/lives/run-lives.ts");
    const { lives, steps, events, happened, refused, done } = runLives({
      lives: wholeNumber(given, "lives"),
      seed: wholeNumber(given, "seed"),
    });
    return {
      lives,
      steps,
      events,
      happened: counted(happened),
      refused: counted(refused),
      done: counted(done),
    };
  },
  read(result) {
    const figures = { lives: numberOf(result, "lives"), steps: numberOf(result, "steps") };
    return { passed: true, figures: { ...figures, events: numberOf(result, "events") } };
  },
  fullRuns: [
    {
      record: "lives",
      title: "Random lives of accounts",
      promise:
        "Accounts that trade, fail, pass, go pro and are paid, step by step beside models written apart from the rules: ledger, carry, days, objectives, payouts.",
      size: { seed: "1", lives: "20000" },
    },
  ],
};

function counted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
