import { readFileSync } from "node:fs";
import { ERROR_NAMES, ERRORS } from "@propgate/contract";
import { expect, test } from "vitest";
import { isCountedByGuard } from "../packages/server/src/api/respond.ts";

test.each(["docs/spec/open-points.md", "docs/spec/rules.md"])(
  "%s names the statuses that the failure guard counts [D2.guard]",
  (page) => {
    const text = readFileSync(page, "utf8");
    const [, named = ""] = /The guard counts ([\d, and]+) of /.exec(text) ?? [];
    const counted = new Set(
      ERROR_NAMES.filter(isCountedByGuard).map((name) => ERRORS[name].status),
    );
    expect(named.match(/\d+/g)?.map(Number)).toEqual([...counted].toSorted((a, b) => a - b));
  },
);
