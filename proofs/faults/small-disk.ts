import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

/** A file system that is so small that a test can fill it. */
export interface SmallDisk {
  readonly path: string;
  /** Fills all free space. */
  fill(): void;
  free(): void;
  /** Makes the disk read-only; no file may be open for writing. */
  makeReadOnly(): Promise<void>;
  remove(): Promise<void>;
}

/** True when this machine allows a small disk; prints a warning when it does not. */
export function canHaveSmallDisk(): boolean {
  const can = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  if (!can) console.warn("SKIPPED: this machine does not allow mounts, so no test fills a disk");
  return can;
}

/**
 * Mounts the file system in the namespace of one helper process, and reaches it through that process's root in `/proc`.
 * The file system is gone when the process ends.
 */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const place = mkdtempSync(join(tmpdir(), "propgate-disk-"));
  const script = `mount -t tmpfs -o size=${megabytes}m none "$0" && echo mounted &&
    while read how; do mount -o "remount,$how" "$0" && echo done; done`;
  const holder = spawn("unshare", ["-rm", "sh", "-c", script, place], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(holder.stdout);
  await once(lines, "line");
  const path = join("/proc", String(holder.pid), "root", place);
  const filler = join(path, "filler");
  return {
    path,
    fill: () => writeUntilFull(filler),
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => askHolder(holder, lines, "ro"),
    async remove() {
      const gone = once(holder, "exit");
      holder.kill("SIGKILL");
      await gone;
      rmdirSync(place);
    },
  };
}

async function askHolder(holder: ChildProcess, lines: Interface, how: string): Promise<void> {
  const answer = once(lines, "line");
  holder.stdin?.write(`${how}\n`);
  await answer;
}

function writeUntilFull(path: string): void {
  const file = openSync(path, "a");
  try {
    for (const bytes of [1 << 20, 1 << 12, 1]) {
      const block = Buffer.alloc(bytes);
      try {
        while (writeSync(file, block) === bytes);
      } catch (cause) {
        if (!(cause instanceof Error && "code" in cause && cause.code === "ENOSPC")) throw cause;
      }
    }
  } finally {
    closeSync(file);
  }
}
