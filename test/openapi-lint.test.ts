/** Checks the published OpenAPI documents with a linter that other projects use. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { readText } from "./source-tree.ts";

test.for(["docs/reference/openapi.json", "docs/reference/operator-openapi.json"])(
  "Redocly finds no error in %s [D10.openapi]",
  async (path) => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: readText(path), absoluteRef: path, config });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  },
);
