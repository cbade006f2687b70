import fc from "fast-check";
import type { RejudgeableJournal } from "../rejudgeable-journal.ts";
import { arbitraryStandardTerms } from "./life-program.ts";
import { arbitraryStep, type LifeStep } from "./life-steps.ts";
import { LifeTally } from "./life-tally.ts";
import { type LifePlan, RandomLife } from "./random-life.ts";

const STEPS_MAX = 400;

const plans: fc.Arbitrary<LifePlan> = fc.record({
  terms: arbitraryStandardTerms,
  isProvisioned: fc.integer({ min: 0, max: 15 }).map((one) => one > 0),
  luck: fc.constantFrom(0, -0.001, 0.002, 0.005),
  isPatient: fc.boolean(),
});

const runs = fc.array(arbitraryStep, { minLength: 1, maxLength: STEPS_MAX, size: "max" });

/** How many random lives to run, and the seed that determines them. */
export interface LivesRun {
  readonly lives: number;
  readonly seed: number;
}

/**
 * Runs random lives. The same seed gives the same lives.
 * @throws with the shortest life that fails
 */
export function runLives({ lives, seed }: LivesRun): LifeTally {
  const tally = new LifeTally();
  const property = fc.property(plans, runs, (plan, run) => {
    const life = runLife(plan, run, tally);
    life.checkJournal();
    life.checkJudgement();
  });
  fc.assert(property, { numRuns: lives, seed });
  return tally;
}

/** The journals of random lives. The same seed gives the same journals. */
export function randomJournals({ lives, seed }: LivesRun): readonly RejudgeableJournal[] {
  const tally = new LifeTally();
  return fc
    .sample(fc.tuple(plans, runs), { numRuns: lives, seed })
    .map(([plan, run]) => runLife(plan, run, tally).rejudgeableJournal);
}

function runLife(plan: LifePlan, run: readonly LifeStep[], tally: LifeTally): RandomLife {
  const life = new RandomLife(plan, tally);
  for (const step of run) if (!life.carryOut(step)) break;
  return life;
}
