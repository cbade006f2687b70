import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { FUZZ_GROUPS } from "../test/fuzz/all-groups.ts";
import { runFuzz } from "../test/fuzz/run-fuzz.ts";

/** `npm run fuzz -- --runs 10000 --seed 7 [--json FILE] [--only TEXT]`: every property that often, and what failed. */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const summary = await runFuzz(FUZZ_GROUPS, {
  plan: { runs: Number(values.runs), seed: Number(values.seed) },
  only: values.only,
  say: (line) => process.stdout.write(`${line}\n`),
});
if (values.json !== undefined) {
  await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
}
process.exitCode = summary.suites.some(({ failures }) => failures > 0) ? 1 : 0;
