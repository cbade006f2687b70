import { z } from "zod";
import type { ProofRow } from "../proof.ts";
import { MUTATION_AREA_NAMES, MUTATION_AREAS, type MutationAreaName } from "./areas.ts";

const count = z.int().min(0);

const AREA_SCORE = z.strictObject({
  area: z.enum(MUTATION_AREA_NAMES),
  mutants: count,
  killed: count,
  /** Mutants with which the tests exceed their time limit. */
  timeout: count,
  survived: count,
  /** Mutants in code that no test runs. */
  uncovered: count,
  /** The percentage of the mutants that a test noticed, by failing or by a timeout. */
  scorePct: z.number().min(0).max(100),
  /** The day of the run, such as 2026-11-21. */
  run: z.iso.date(),
});

/** A row of the record: the faults of an area that its tests noticed. */
export type AreaScore = z.infer<typeof AREA_SCORE>;

const ROWS = z.array(AREA_SCORE);
const RESULT = z.strictObject({ rows: ROWS });

/** The scores of a result or a record. @throws when they have another form. */
export function parseScores(result: unknown): readonly AreaScore[] {
  return RESULT.parse(result).rows;
}

/** The former rows, with the rows of the measured areas replaced, in the order of `MUTATION_AREA_NAMES`. */
export function mergeScores(
  former: readonly ProofRow[],
  found: readonly AreaScore[],
): readonly AreaScore[] {
  const rows = [...found, ...ROWS.parse(former)];
  return MUTATION_AREA_NAMES.flatMap((name) => rows.find(({ area }) => area === name) ?? []);
}

/** The percentage of noticed mutants, rounded down to two decimals, so that 89.999 is below 90. 0 without mutants. */
export function scorePctOf(found: Pick<AreaScore, "mutants" | "killed" | "timeout">): number {
  const { mutants, killed, timeout } = found;
  return mutants === 0 ? 0 : Math.floor(((killed + timeout) / mutants) * 10_000) / 100;
}

/** The lowest score that an area may have, in percent. */
export function floorPctOf(name: MutationAreaName): number {
  return MUTATION_AREAS[name].floorPct;
}
