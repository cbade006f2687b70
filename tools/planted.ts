import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seeWhoCatches } from "../test/planted/plant.ts";
import { PLANTED_BUGS } from "../test/planted/planted-bugs.ts";

/** `npm run planted`: makes each planted bug in a copy and tells who catches it, as JSON. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    steps: { type: "string", default: "3000" },
    only: { type: "string", default: "" },
    json: { type: "string" },
  },
});
const plan = { seeds: Number(values.seeds), steps: Number(values.steps) };
const bugs = PLANTED_BUGS.filter(({ name }) => name.includes(values.only)).map((bug) => {
  const caught = seeWhoCatches(bug, plan);
  process.stderr.write(`${JSON.stringify(caught, null, 2)}\n`);
  return caught;
});
const text = `${JSON.stringify({ bugs }, null, 2)}\n`;
if (values.json === undefined) process.stdout.write(text);
else writeFileSync(values.json, text);
const missed = bugs.filter((bug) => bug.bySimulation === null && bug.byTests.length === 0);
process.exitCode = missed.length > 0 ? 1 : 0;
