import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { withoutPropgateVariables } from "../../packages/cli/src/testing/run-cli.ts";
import { ROOT } from "../source-tree.ts";

const LIFE = "examples/whole-life/whole-life.ts";

describe("one account from its sale to its end [D7.pass] [D7.payouts] [D7.promotion] [S2.1.1.softBreach] [S2.5.items]", () => {
  test("every figure of a whole life equals the one worked out by hand", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@propgate/source", join(ROOT, LIFE)],
      { env: withoutPropgateVariables(process.env) },
    );
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /\d{3} figures equal those worked out by hand$/,
    );
  });
});
