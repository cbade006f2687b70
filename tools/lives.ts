import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runLives } from "../packages/core/src/testing/lives/run-lives.ts";

/** `npm run lives -- --lives 10000 --seed 7 [--json FILE]`: random lives of accounts, and how often what happened in them. */
const { values } = parseArgs({
  options: {
    lives: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
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
const text = `${JSON.stringify(run, null, 2)}\n`;
if (values.json === undefined) process.stdout.write(text);
else writeFileSync(values.json, text);
