import { describe, expect, test } from "vitest";
import { termGroups } from "./term-rows.ts";

describe("a program as tables", () => {
  test("plain values come first, and a list is one cell", () => {
    expect(termGroups({ id: "classic", version: 2, inactivityDays: null })).toEqual([
      {
        kind: "rows",
        title: "Program",
        rows: [
          { path: "id", text: "classic" },
          { path: "version", text: "2" },
          { path: "inactivityDays", text: "--" },
        ],
      },
    ]);
  });

  test("parts with the same field names become a grid", () => {
    const [, caps] = termGroups({ leverageCaps: { tier1: { crypto: 1.5 }, tier2: { crypto: 2 } } });
    expect(caps).toEqual({
      kind: "grid",
      title: "leverageCaps",
      columns: ["crypto"],
      rows: [
        { name: "tier1", cells: ["1.5"] },
        { name: "tier2", cells: ["2"] },
      ],
    });
  });

  test("other parts become rows by path", () => {
    const [, loss] = termGroups({ dailyLossPct: { challenge: [5, 3], funded: { all: 5 } } });
    expect(loss).toEqual({
      kind: "rows",
      title: "dailyLossPct",
      rows: [
        { path: "challenge", text: "5, 3" },
        { path: "funded.all", text: "5" },
      ],
    });
  });

  test.each([null, "text", 5, []])("a value that is not an object has no terms: %j", (document) => {
    expect(termGroups(document)).toEqual([]);
  });
});
