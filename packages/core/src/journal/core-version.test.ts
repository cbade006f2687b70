import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CORE_VERSION } from "./core-version.ts";

test("the version in the inputs of decisions is the version of the package", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(text)).toMatchObject({ version: CORE_VERSION });
});
