import { parseArgs } from "node:util";
import { runLives } from "../packages/core/src/testing/lives/run-lives.ts";

/** `npm run lives -- --lives 10000 --seed 7`: random lives of accounts, and how often what happened in them. */
const { values } = parseArgs({
  options: {
    lives: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
  },
});
const tally = runLives({ lives: Number(values.lives), seed: Number(values.seed) });
const { lives, steps, events, happened, refused, done } = tally;
const counted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
const run = {
  lives,
  steps,
  events,
  happened: counted(happened),
  refused: counted(refused),
  done: counted(done),
};
process.stdout.write(`${JSON.stringify(run, null, 2)}\n`);
