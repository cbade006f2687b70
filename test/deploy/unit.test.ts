import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readText } from "../source-tree.ts";

const HAS_SYSTEMD = spawnSync("systemd-analyze", ["--version"]).status === 0;
/** The highest exposure that the test accepts, in tenths; `systemd-analyze security` calls up to 2 "OK". */
const EXPOSURE_MAX = 15;

describe.skipIf(!HAS_SYSTEMD)("deploy/propgate.service", () => {
  test("systemd accepts the unit, and rates its exposure as low", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-unit-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const unit = join(folder, "propgate.service");
    // systemd checks that the program exists, so node replaces it.
    const program = /^ExecStart=(\S+)/m.exec(readText("deploy/propgate.service"))?.[1] ?? "";
    await writeFile(
      unit,
      readText("deploy/propgate.service").replaceAll(program, process.execPath),
    );
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
      encoding: "utf8",
    });
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
    const rated = spawnSync(
      "systemd-analyze",
      ["security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, unit],
      { encoding: "utf8" },
    );
    expect(rated.status).toBe(0);
  });
});
