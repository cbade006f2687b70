import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Scenario } from "../testing/scenario.ts";
import { parseScenario } from "../testing/scenario-line.ts";

const FOLDER = import.meta.dirname;
const STORIES = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

describe("every story has the results that it states [S3.orders]", () => {
  test.each(STORIES.map(read))("the story $name has its results: $title", ({ name, text }) => {
    const scenario = new Scenario();
    const lines = parseScenario(text);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const outcome = scenario.run(line);
      const where = `${name}:${line.number} ${line.text}`;
      if (line.expected !== null) expect(outcome, where).toBe(line.expected);
      else expect(outcome, where).not.toMatch(/^refused/);
    }
  });
});

function read(name: string) {
  const text = readFileSync(join(FOLDER, name), "utf8");
  return { name, text, title: (text.split("\n")[0] ?? "").slice(2) };
}
