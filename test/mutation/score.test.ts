import { describe, expect, test } from "vitest";
import { MUTATION_AREA_NAMES, MUTATION_AREAS } from "./areas.ts";
import { floorOf, readScores, scorePctOf } from "./score.ts";

describe("how many small faults the tests notice", () => {
  const { areas } = readScores();

  test("every area of the table has been measured, and no other", () => {
    expect(Object.keys(areas)).toEqual([...MUTATION_AREA_NAMES]);
    expect(Object.keys(MUTATION_AREAS)).toEqual([...MUTATION_AREA_NAMES]);
  });

  test.each(MUTATION_AREA_NAMES)(
    "%s: its figures agree, and it is at its floor or above",
    (name) => {
      const score = areas[name];
      const { mutants, killed, timeout, survived, noCoverage } = score;
      expect(killed + timeout + survived + noCoverage).toBe(mutants);
      expect(score.scorePct).toBe(scorePctOf(score));
      expect(score.scorePct).toBeGreaterThanOrEqual(floorOf(name));
    },
  );

  test.each([
    [10, 9, 0, 90],
    [10, 8, 1, 90],
    [3, 2, 0, 66.66],
    [100_000, 89_999, 0, 89.99],
    [0, 0, 0, 0],
  ])("of %d faults %d noticed and %d without an end are %d %%", (...given) => {
    const [mutants, killed, timeout, scorePct] = given;
    expect(scorePctOf({ mutants, killed, timeout })).toBe(scorePct);
  });
});
