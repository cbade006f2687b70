import fc from "fast-check";
import { expect, test } from "vitest";
import { deepenedCount, SEED } from "../../../../test/environment/depth.ts";
import { EMPTY_WEEKS_TALLY, WeeksLife, type WeeksTally } from "../testing/weeks-life.ts";
import { arbitraryModelTerms, arbitraryWeeksSteps } from "../testing/weeks-steps.ts";

test("every day's end, payout, end and wait of the weeks is as the sentences say [D13.judges] [D13.mark] [D13.closing] [D13.phaseSeen]", async () => {
  const sum: WeeksTally = { ...EMPTY_WEEKS_TALLY };
  // Each random test case (a life) has four accounts.
  const lives = fc.tuple(
    fc.tuple(arbitraryModelTerms, arbitraryModelTerms, arbitraryModelTerms, arbitraryModelTerms),
    arbitraryWeeksSteps,
  );
  await fc.assert(
    fc.asyncProperty(lives, async (life) => {
      const tally = await WeeksLife.play(life);
      for (const key of Object.keys(sum) as (keyof WeeksTally)[]) sum[key] += tally[key];
    }),
    { numRuns: deepenedCount(400, 8), seed: SEED },
  );
  // The random lives contain the cases that the test compares.
  const { weeks, held: _held, ...others } = sum;
  expect(Math.min(...Object.values(others))).toBeGreaterThan(weeks / 20);
});
