import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { lockFolder } from "./folder-lock.ts";

describe("the lock of a data folder", () => {
  test("the lock of a data folder is taken over from a dead process", async () => {
    const folder = await makeTemporaryFolder();
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: gone, startedAt: "boot:1" }));
    const lock = lockFolder(folder);
    expect(readFileSync(join(folder, "lock"), "utf8")).toContain(String(process.pid));
    lock.release();
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  test("the lock of a data folder is taken over when its process number now belongs to another process", async () => {
    const folder = await makeTemporaryFolder();
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, startedAt: "boot:1" }));
    lockFolder(folder).release();
  });

  test("the lock of a data folder is taken over when it was only partly written", async () => {
    const folder = await makeTemporaryFolder();
    writeFileSync(join(folder, "lock"), '{"pid":');
    lockFolder(folder).release();
  });

  test.skipIf(process.platform !== "linux")(
    "the lock of a data folder is taken over from a killed process that its parent has not reaped",
    async () => {
      const folder = await makeTemporaryFolder();
      // With `exec`, the shell becomes a program that never reaps its child.
      const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      try {
        const [line] = await once(createInterface(parent.stdout), "line");
        const pid = Number(line);
        // Until its name is `sleep`, the parent is still a shell, which may reap its child.
        await eventually(() => {
          expect(readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim()).toBe("sleep");
        });
        const fields = statusFields(pid);
        const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
        const theirs = JSON.stringify({ pid, startedAt: `${boot}:${fields[19]}` });
        writeFileSync(join(folder, "lock"), theirs);
        expect(() => lockFolder(folder)).toThrow(`in use by process ${pid}`);

        process.kill(pid, "SIGKILL");
        await eventually(() => expect(statusFields(pid)[0]).toBe("Z"));
        // The killed process still has its number, with the same start.
        expect(process.kill(pid, 0)).toBe(true);
        lockFolder(folder).release();
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );
});

/** The fields of a process's status behind its name. The first one is the state. */
function statusFields(pid: number): readonly string[] {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  return status.slice(status.lastIndexOf(")") + 2).split(" ");
}
