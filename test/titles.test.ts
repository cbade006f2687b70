import { describe, expect, test } from "vitest";
import { readTitles, titleProblem, titlesIn } from "./titles.ts";

test("every title of a test is a sentence with a subject", () => {
  const titles = readTitles();
  expect(titles.length).toBeGreaterThan(3_000);
  const wrong = titles.flatMap(({ place, text }) => {
    const problem = titleProblem(text);
    return problem === null ? [] : [`${place}: ${problem}: ${text}`];
  });
  expect(wrong).toEqual([]);
});

describe("the judgement of a title", () => {
  test.each([
    ["answers 404 for an unknown id [S7.statuses]", "begins with a verb"],
    ["is refused when the account is closed", "begins with a verb"],
    ["names the line of %s", "begins with a verb"],
    ["that is not answered in time is a timeout", "begins with a reference"],
    ["it is reported once", "begins with a reference"],
    ["of two who race exactly one wins", "begins with a preposition"],
    ["without a key", "begins with a preposition"],
    ["an order of another account", "has no verb"],
    ["a flood of sign-ins", "has no verb"],
    ["an edit with %s", "has no verb"],
    ["%s: %s", "has no verb"],
  ])('a title without a subject or a verb is refused: "%s"', (title, problem) => {
    expect(titleProblem(title)).toBe(problem);
  });

  test.each([
    "GET orders answers 404 for an unknown id [S7.statuses]",
    "answers of form 1 are rendered as they were sent",
    "reads and receipts are counted apart",
    "names at the venues become pairs",
    "orders rest until a price reaches them",
    "a pair and its rate share an age",
    "after a stop, no quote is taken",
    "the first of two sources won",
    "a live quote %s",
    "%s is refused",
    "$title",
  ])('a sentence is accepted: "%s"', (title) => {
    expect(titleProblem(title)).toBeNull();
  });

  test("rows are judged where their first value is the title", () => {
    const source = `import { test } from "vitest";
      test.each([["a loss is no payout", 1], ["no size", 2]])("%s", () => {});
      test.skipIf(true).each(TABLE)("%s", () => {});
      test(\`an order \${how}\`, () => {});`;
    expect(titlesIn("a.test.ts", source)).toEqual([
      { place: "a.test.ts:2", text: "a loss is no payout" },
      { place: "a.test.ts:2", text: "no size" },
      { place: "a.test.ts:4", text: "an order %s" },
    ]);
  });
});
