import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../source-tree.ts";
import { SLOWEST_FILES } from "./slowest-first.ts";

test("every file that starts first is there", () => {
  expect(SLOWEST_FILES.filter((name) => !existsSync(join(ROOT, `${name}.test.ts`)))).toEqual([]);
});
