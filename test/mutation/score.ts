import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { MUTATION_AREA_NAMES, MUTATION_AREAS, type MutationAreaName } from "./areas.ts";

const count = z.int().min(0);

const AREA_SCORE = z.strictObject({
  /** The day of the run, as it was told. */
  date: z.iso.date(),
  mutants: count,
  killed: count,
  timeout: count,
  survived: count,
  noCoverage: count,
  /** Percent of the mutants that a test noticed, by failing or by never ending. */
  scorePct: z.number().min(0).max(100),
});

/** How many of an area's faults its tests noticed. */
export type AreaScore = z.infer<typeof AREA_SCORE>;

const NAME = z.enum(MUTATION_AREA_NAMES);
const SCORES = z.strictObject({ areas: z.record(NAME, AREA_SCORE) });
/** Before every area was measured once. */
const SOME_SCORES = z.strictObject({ areas: z.partialRecord(NAME, AREA_SCORE) });

export type Scores = z.infer<typeof SCORES>;

const FILE = fileURLToPath(new URL("./score.json", import.meta.url));

/** What the last runs wrote down. Throws when it is not of that form. */
export function readScores(): Scores {
  return SCORES.parse(JSON.parse(readFileSync(FILE, "utf8")));
}

/** Puts the areas of a run in the place of theirs, in the order of the table. */
export function writeScores(of: ReadonlyMap<MutationAreaName, AreaScore>): void {
  const former = formerScores();
  const areas = MUTATION_AREA_NAMES.flatMap((name) => {
    const score = of.get(name) ?? former[name];
    return score === undefined ? [] : [[name, score] as const];
  });
  writeFileSync(FILE, `${JSON.stringify({ areas: Object.fromEntries(areas) }, null, 2)}\n`);
}

function formerScores(): z.infer<typeof SOME_SCORES>["areas"] {
  if (!existsSync(FILE)) return {};
  return SOME_SCORES.parse(JSON.parse(readFileSync(FILE, "utf8"))).areas;
}

/** Percent, to two places down: 89.999 is not yet 90. */
export function scorePctOf(found: Pick<AreaScore, "mutants" | "killed" | "timeout">): number {
  const { mutants, killed, timeout } = found;
  return mutants === 0 ? 0 : Math.floor(((killed + timeout) / mutants) * 10_000) / 100;
}

export function floorOf(name: MutationAreaName): number {
  return MUTATION_AREAS[name].floorPct;
}
