import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../server/src/testing/harness.ts";
import { createOperatorCommand } from "../testing/run-operator.ts";

let service: Harness;
let baseUrl = "";

beforeAll(async () => {
  service = await openHarness();
  baseUrl = `http://127.0.0.1:${service.port}`;
  expect((await person("add", "Ann", "--owner", "owner-1")).code).toBe(0);
  return () => service.close();
});

const person = createOperatorCommand(() => baseUrl, "people");

const LINK = /http:\/\/127\.0\.0\.1:\d+\/link#[\w-]{43}/;

describe("propgate operator person", () => {
  test("person add adds a person and prints the complete link", async () => {
    const added = await person("add", "Bea", "--owner", "owner-2");
    expect([added.code, added.stderr]).toEqual([0, ""]);
    expect(added.stdout).toMatch(/^name {3}Bea\nrole {3}owner\nowner {2}owner-2\n/);
    expect(added.stdout).toMatch(LINK);
    const operator = await person("add", "Olga", "--role", "operator", "--json");
    expect(JSON.parse(operator.stdout)).toMatchObject({
      person: { name: "Olga", role: "operator", ownerId: null },
      link: { url: expect.stringMatching(LINK) },
    });
  });

  test("person list prints a table that fits 80 columns", async () => {
    const { stdout } = await person("list");
    expect(stdout).toMatch(/^NAME +ROLE +OWNER +DISABLED\nAnn +owner +owner-1 +-\n/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("propgate operator people disables and enables by name, in any case, and makes another link", async () => {
    expect((await person("disable", "ANN")).stdout).toBe(
      "Ann disabled\nAPI keys that still work: 1 (--pause-keys pauses them)\n",
    );
    expect((await person("list")).stdout).toContain("2026-01-05 12:00:00Z");
    const refused = await person("link", "ann");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      "propgate: The person is disabled; enable it first\n",
    ]);
    expect((await person("enable", "ann")).stdout).toBe("Ann enabled\n");
    expect((await person("disable", "ann", "--pause-keys")).stdout).toBe(
      "Ann disabled\nAPI keys paused: 1\n",
    );
    expect((await person("enable", "ann", "--resume-keys")).stdout).toBe(
      "Ann enabled\nAPI keys resumed: 1\n",
    );
    const { stdout } = await person("link", "ann");
    expect(stdout).toContain("It works once, until 2026-01-06 12:00:00Z:\n");
    expect(stdout).toMatch(LINK);
  });

  test("what cannot be says why", async () => {
    const taken = await person("add", "ANN");
    expect([taken.code, taken.stderr]).toEqual([1, "propgate: <name>: is already taken\n"]);
    const unknown = await person("link", "Max");
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      "propgate: there is no person called Max\n  List all people with: npm run propgate -- operator people list\n",
    ]);
    const role = await person("add", "Max", "--role", "king");
    expect(role.code).toBe(2);
  });
});
