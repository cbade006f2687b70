import { beforeAll, describe, expect, test } from "vitest";
import { readRules } from "../../tools/rule-index.ts";
import { deepenedCount, SEED } from "../environment/depth.ts";
import { type ChangedLine, changedLines } from "./changed-lines.ts";
import { readDocument, specificationText, withLine } from "./document.ts";
import { collectEvidence, type Evidence } from "./evidence.ts";
import { PROVED_SENTENCES } from "./sentences.ts";
import { openServiceUnderTest } from "./service-under-test.ts";
import { ALL_NOTES, specificationDifferences } from "./table-differences.ts";

const MARKDOWN = specificationText();
const LINES_FEW = 40;

describe("the specification's document", () => {
  let evidence: Evidence;
  beforeAll(async () => {
    const service = await openServiceUnderTest();
    evidence = await collectEvidence(service);
    return () => service.close();
  });

  test("the service publishes and answers what every table of it says [S4.endpoints] [S7.table] [S7.statuses] [S8.numbers] [S9.prefix]", () => {
    expect(specificationDifferences(MARKDOWN, evidence)).toEqual([]);
  });

  test("a change of any cell or sentence of it is a difference", () => {
    const all = changedLines(readDocument(MARKDOWN), SEED);
    const count = deepenedCount(all.length, LINES_FEW);
    const tried = all.filter((_, index) => (index * count) % all.length < count);
    expect(tried).toHaveLength(count);
    const isUnnoticed = ({ line, text }: ChangedLine): boolean =>
      specificationDifferences(withLine(MARKDOWN, line, text), evidence).length === 0;
    expect(tried.filter(isUnnoticed)).toEqual([]);
  });
});

describe("a remark of the document that no answer shows", () => {
  test("a remark of the document that no answer shows is held by a rule with tests of its own", () => {
    const known = new Set(readRules().map(({ id }) => id));
    const rules = [...ALL_NOTES, ...PROVED_SENTENCES].flatMap(({ held }) =>
      "rule" in held ? [held.rule] : [],
    );
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter((id) => !known.has(id))).toEqual([]);
  });
});
