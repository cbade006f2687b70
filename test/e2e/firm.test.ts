import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { withoutPropgateVariables } from "../../packages/cli/src/testing/run-cli.ts";
import { deepenedCount } from "../environment/depth.ts";
import { ROOT } from "../source-tree.ts";

const FIRM = join(ROOT, "examples/firm/firm.ts");

describe("a firm's rehearsal [D8.sandbox] [D12.bulk] [D12.repeatedWrites] [D7.paidAmount]", () => {
  test("a firm sells, explains breaches, receives webhooks in order and pays two weeks, with every write sent twice", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-firm-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const accounts = deepenedCount(200, 20);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@propgate/source", FIRM, String(accounts), folder],
      { env: withoutPropgateVariables(process.env) },
    );
    // The writes are a webhook, the accounts, their keys and two weeks of payouts.
    expect(stdout).toMatch(/ {2}5 writes were sent twice and acted once\n$/);
    expect((await readdir(folder)).toSorted()).toEqual([
      "payouts-2026-01-12.csv",
      "payouts-2026-01-19.csv",
    ]);
  });
});
