import { createRequire } from "node:module";
import * as core from "@propgate/core";
import { expect, test } from "vitest";
import * as depth from "./depth.ts";

const loadByNode = createRequire(import.meta.url);

test("a test has the same modules as Node, also those of a package by its sources", () => {
  expect(loadByNode("./depth.ts")).toBe(depth);
  expect(loadByNode("@propgate/core")).toBe(core);
  expect(loadByNode.resolve("@propgate/core")).toMatch(/packages\/core\/src\/index\.ts$/);
});
