import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../test/source-tree.ts";
import type { Proof } from "../proof.ts";
import { resultNumber } from "../result-parts.ts";

/** The folders of the tests that make disks, connections and databases fail. */
export const FAULT_TEST_FOLDERS = ["proofs/faults", "packages/ledger/src/trading/backup"] as const;

/** Runs the tests of the real service on failing disks, connections and databases; none may be skipped. */
export const FAULTS: Proof = {
  name: "faults",
  sentence: "Runs the real service on failing disks, connections and databases.",
  options: {},
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "propgate-faults-"));
    try {
      const report = join(folder, "tests.json");
      spawnSync(
        process.execPath,
        [
          "node_modules/vitest/vitest.mjs",
          "run",
          ...FAULT_TEST_FOLDERS,
          "--reporter=json",
          `--outputFile=${report}`,
        ],
        { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] },
      );
      const result: unknown = JSON.parse(readFileSync(report, "utf8"));
      return result;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  read(result) {
    const failed = resultNumber(result, "numFailedTests");
    const skipped = resultNumber(result, "numPendingTests");
    return {
      passed: failed === 0 && skipped === 0,
      figures: { "tests passed": resultNumber(result, "numPassedTests"), failed, skipped },
    };
  },
  fullRuns: [
    {
      record: "faults",
      title: "Failing disks and connections",
      promise:
        "The real service runs on a disk that is full, read-only or fails at fsync, on connections that are cut or silent, and on a database that restarts. It answers 5xx, reports the failure in /health, confirms nothing that is not durable, and recovers by itself.",
      size: {},
    },
  ],
};
