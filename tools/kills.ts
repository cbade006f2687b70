import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runKills } from "../test/kills/run-kills.ts";

/** `npm run kills -- --kills 1000 [--database-url postgres://…] [--json FILE]`: the whole run, as JSON. */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    "database-url": { type: "string" },
    json: { type: "string" },
  },
});
const KILLS_A_LINE = 50;
const run = await runKills({
  kills: Number(values.kills),
  databaseUrl: values["database-url"] ?? null,
  onKill: (kill) => {
    if (kill % KILLS_A_LINE === 0) process.stderr.write(`${kill} of ${values.kills} kills\n`);
  },
});
const text = `${JSON.stringify(run, null, 2)}\n`;
if (values.json === undefined) process.stdout.write(text);
else writeFileSync(values.json, text);
const { admittedTwice, lost, carriedOutTwice, brokenChains, differentStates } = run;
const wrong = [admittedTwice, lost, carriedOutTwice, brokenChains, differentStates];
process.exitCode = wrong.some((list) => list.length > 0) ? 1 : 0;
