import { describe, expect, test } from "vitest";
import { parseDatabaseUrls, splitDatabaseUrls } from "./database-list.ts";

const ONE = "postgres://u:first-pw@db1/propgate";
const TWO = "postgresql://u:second-pw@db2:6432/propgate?sslmode=require";

const problemOf = (list: string): string => {
  const read = parseDatabaseUrls(list);
  return "problem" in read ? read.problem : "";
};

describe("the list of databases", () => {
  test("the list of databases keeps its URLs in their order, without the spaces around them", () => {
    expect(parseDatabaseUrls(`${ONE}, ${TWO}`)).toEqual({ value: `${ONE}, ${TWO}` });
    expect(splitDatabaseUrls(` ${ONE} ,\n${TWO} `)).toEqual([ONE, TWO]);
    expect(parseDatabaseUrls(ONE)).toEqual({ value: ONE });
  });

  test("the list of databases may have 64 URLs, and not one more", () => {
    const urls = Array.from({ length: 65 }, (_, number) => `postgres://db/p${number}`);
    expect(problemOf(urls.slice(0, 64).join(","))).toBe("");
    expect(problemOf(urls.join(","))).toBe("must have 64 URLs at most");
  });

  test.each([
    [",", 0],
    [`${ONE},`, 1],
    [`${ONE}, ,${TWO}`, 1],
  ])("an empty entry is named by its position: %#", (list, position) => {
    expect(problemOf(list)).toBe(`has no URL at position ${position}`);
  });

  test.each([
    `${ONE},mysql://u:third-pw@db/x`,
    `${ONE},db2/propgate`,
    `${ONE},postgres://u:third-pw@:::/x`,
    `${ONE},postgres://`,
  ])("something else than a URL of PostgreSQL is named by its position: %#", (list) => {
    expect(problemOf(list)).toContain("at position 1");
  });

  test.each([
    [ONE, "postgres://other:pw@db1/propgate"],
    [ONE, "postgresql://u:pw@DB1:5432/propgate?application_name=x"],
    ["postgres://u@db1/prop%67ate", ONE],
    ["postgres://u@db1", "postgres://db1/u"],
  ])("the same database written differently is one: %s and %s", (one, other) => {
    expect(problemOf(`${one},${other}`)).toBe("names the same database at the positions 0 and 1");
  });

  test.each([
    ["postgres://db1/a", "postgres://db1/b"],
    ["postgres://db1/a", "postgres://db1:5433/a"],
    ["postgres://db1/a", "postgres://db2/a"],
    ["postgres://db1/a", "postgres://db1/A"],
  ])("two databases are two: %s and %s", (one, other) => {
    expect(problemOf(`${one},${other}`)).toBe("");
  });

  test("no problem repeats a password", () => {
    const lists = [
      `${ONE},`,
      `${ONE},${ONE}`,
      `${ONE},${TWO},x:third-pw@y`,
      `postgres://u:a-pw,b-pw@db/x`,
    ];
    for (const list of lists) {
      expect(problemOf(list)).not.toBe("");
      expect(problemOf(list)).not.toContain("-pw");
    }
  });
});
