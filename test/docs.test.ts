import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { referencePages } from "../tools/reference-pages.ts";

const root = resolve(import.meta.dirname, "..");

describe("generated reference", () => {
  test.each(referencePages())("$path is what the contract says: else `npm run docs`", (page) => {
    expect(readFileSync(resolve(root, page.path), "utf8")).toBe(page.content);
  });

  test("no fixture stands there that nothing generates", () => {
    const generated = referencePages().map((page) => page.path);
    const there = readdirSync(resolve(root, "packages/contract/fixtures"))
      .map((name) => `packages/contract/fixtures/${name}`)
      .filter((path) => !path.endsWith("/signature-vectors.json"));
    expect(there.toSorted()).toEqual(
      generated.filter((path) => path.startsWith("packages/contract/fixtures/")).toSorted(),
    );
  });
});
