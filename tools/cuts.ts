import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runCuts } from "../test/cuts/run-cuts.ts";

/** `npm run cuts -- --cuts 1000 [--seed WORD] [--json FILE]`: the whole run, as JSON. */
const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const CUTS_A_LINE = 100;
const run = await runCuts({
  cuts: Number(values.cuts),
  seed: values.seed,
  onCut: (cut) => {
    if (cut % CUTS_A_LINE === 0) process.stderr.write(`${cut} of ${values.cuts} cuts\n`);
  },
});
const text = `${JSON.stringify(run, null, 2)}\n`;
if (values.json === undefined) process.stdout.write(text);
else writeFileSync(values.json, text);
const wrong = Object.values(run).filter((one) => Array.isArray(one));
process.exitCode = wrong.some((list) => list.length > 0) ? 1 : 0;
