import { describe, expect, test } from "vitest";
import { readProofRecord } from "../records.ts";
import { MUTATION_AREA_NAMES, MUTATION_AREAS } from "./areas.ts";
import { floorPctOf, mergeScores, parseScores, scorePctOf } from "./score.ts";

describe("the record of the mutation runs", () => {
  const scores = parseScores({ rows: readProofRecord("mutation")?.rows });

  test("the record has exactly the areas of the table", () => {
    expect(scores.map(({ area }) => area)).toEqual([...MUTATION_AREA_NAMES]);
    expect(Object.keys(MUTATION_AREAS)).toEqual([...MUTATION_AREA_NAMES]);
  });

  test.each(scores)(
    "the figures of $area add up, and its score is not below its floor",
    (score) => {
      const { mutants, killed, timeout, survived, uncovered } = score;
      expect(killed + timeout + survived + uncovered).toBe(mutants);
      expect(score.scorePct).toBe(scorePctOf(score));
      expect(score.scorePct).toBeGreaterThanOrEqual(floorPctOf(score.area));
    },
  );

  test("a run of one area keeps the rows of the others", () => {
    const [signer, ...others] = scores;
    if (signer === undefined) throw new Error("no scores");
    const later = { ...signer, run: "2027-01-01" };
    expect(mergeScores(scores, [later])).toEqual([later, ...others]);
  });

  test.each([
    { mutants: 10, killed: 9, timeout: 0, scorePct: 90 },
    { mutants: 10, killed: 8, timeout: 1, scorePct: 90 },
    { mutants: 3, killed: 2, timeout: 0, scorePct: 66.66 },
    { mutants: 100_000, killed: 89_999, timeout: 0, scorePct: 89.99 },
    { mutants: 0, killed: 0, timeout: 0, scorePct: 0 },
  ])(
    "a score of $killed killed and $timeout timed out of $mutants mutants is $scorePct %",
    (row) => {
      expect(scorePctOf(row)).toBe(row.scorePct);
    },
  );
});
