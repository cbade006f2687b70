import { describe, expect, test } from "vitest";
import {
  findMentions,
  mentionsIn,
  parseRules,
  readRules,
  similarRuleIds,
} from "../tools/rule-index.ts";
import { createReachedSources } from "./reached-sources.ts";

const rules = readRules();
const mentions = findMentions();
/** The test that plays every story of the core. */
const STORIES = "packages/core/src/scenarios/scenarios.test.ts";
const idsOf = (role: "code" | "test"): ReadonlySet<string> =>
  new Set(mentions.filter((one) => one.role === role).map(({ id }) => id));

describe("the index of rules", () => {
  test("the index names every rule once, in a sentence", () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(rules.length).toBeGreaterThan(80);
    expect(rules.filter(({ sentence }) => !sentence.endsWith("."))).toEqual([]);
  });

  test("every rule is kept somewhere in the code", () => {
    const inCode = idsOf("code");
    expect(rules.map(({ id }) => id).filter((id) => !inCode.has(id))).toEqual([]);
  });

  test("one place of the code decides each rule", () => {
    const deciding = Map.groupBy(
      mentions.filter(({ role, decides }) => role === "code" && decides),
      ({ id }) => id,
    );
    const wrong = rules.flatMap(({ id }) => {
      const places = (deciding.get(id) ?? []).map(({ path, line }) => `${path}:${line}`);
      return places.length === 1 ? [] : [`${id} is decided at ${places.join(", ") || "no place"}`];
    });
    expect(wrong).toEqual([]);
  });

  test("every rule is proved by a test that carries its id", () => {
    const inTests = idsOf("test");
    expect(rules.map(({ id }) => id).filter((id) => !inTests.has(id))).toEqual([]);
  });

  test("a test that carries the id of a rule reaches the place that decides it", () => {
    const reachedBy = createReachedSources();
    const unheld = rules.flatMap(({ id }) => {
      const own = mentions.filter((one) => one.id === id);
      const deciding = own.filter(({ role, decides }) => role === "code" && decides);
      const tests = own.filter(({ role }) => role === "test");
      const isHeld = tests.some(({ path }) => {
        const reached = reachedBy(path.endsWith(".txt") ? STORIES : path);
        return deciding.every((place) => reached.has(place.path));
      });
      return isHeld ? [] : [`${id} of ${deciding.map(({ path }) => path).join(", ")}`];
    });
    expect(unheld).toEqual([]);
  });

  test("a file reaches what it imports, through others and through a package's face", () => {
    const reached = createReachedSources()("test/spec-rules.test.ts");
    expect(reached).toContain("test/source-tree.ts");
    expect(reached).not.toContain("packages/core/src/units.ts");
    const throughFaces = createReachedSources()("packages/server/src/api/gates/timestamp.ts");
    expect(throughFaces).toContain("packages/contract/src/errors/errors.ts");
  });

  test("nothing names a rule that does not exist", () => {
    const known = new Set(rules.map(({ id }) => id));
    const strange = mentions.filter(({ id }) => !known.has(id));
    expect(strange.map(({ id, path, line }) => `${id} ${path}:${line}`)).toEqual([]);
  });
});

describe("the index reads", () => {
  test("the index reads rows under their heading", () => {
    const text =
      "## S5 Keys\n\n| id | rule |\n| --- | --- |\n| S5.R2 | Once. |\n## D7 Programs\n| D7.x | Sold. |";
    expect(parseRules(text)).toEqual([
      { id: "S5.R2", sentence: "Once.", section: "S5 Keys" },
      { id: "D7.x", sentence: "Sold.", section: "D7 Programs" },
    ]);
  });

  test("the index reads claims of code, tags of titles, and the first line of a scenario", () => {
    // The ids are joined here, so that this file does not mention a rule itself.
    const claim = `/** So it is. @${"rule"} S5.R2 @${"rule"} D2.7 decides */`;
    const title = `test("it is [${"D2.7"}]", () => {`;
    const said = (path: string, text: string) =>
      mentionsIn(path, text).map(({ id, role, line, decides }) => [id, role, line, decides]);
    expect(said("packages/core/src/a.ts", `\n${claim}`)).toEqual([
      ["S5.R2", "code", 2, false],
      ["D2.7", "code", 2, true],
    ]);
    const code = `${claim}\n\n// Once.\nexport const a = 1;`;
    expect(mentionsIn("packages/core/src/a.ts", code).at(1)?.text).toBe("export const a = 1;");
    expect(said("packages/core/src/a.test.ts", title)).toEqual([["D2.7", "test", 1, false]]);
    expect(said("packages/core/src/a.ts", title)).toEqual([]);
    const story = `# Stops first. [${"D5.gap"}]\n# then [${"D5.caps"}]`;
    expect(said("packages/core/src/a.txt", story)).toEqual([["D5.gap", "test", 1, false]]);
  });

  test("an unknown id is answered with similar ones", () => {
    const some = parseRules(
      "## A\n| S5.R1 | a. |\n| S5.R2 | b. |\n| D5.caps | c. |\n| S8.read | d. |",
    );
    expect(similarRuleIds("S5.R9", some)[0]).toMatch(/^S5\.R/);
    expect(similarRuleIds("S8.caps", some)).toContain("D5.caps");
    expect(similarRuleIds("zebra", some)).toEqual([]);
  });
});
