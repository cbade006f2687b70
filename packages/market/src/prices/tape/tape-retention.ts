import { rm } from "node:fs/promises";
import type { UnixMs } from "@propgate/core";
import { listTapeFiles, listTapePairs, MS_PER_HOUR } from "./tape-folder.ts";

/**
 * Removes the files of hours that ended before `beforeMs`, oldest first. Returns how many it removed. The newest file
 * of a pair stays, because the next one continues its chain and its numbers.
 */
export async function removeOldTape(folder: string, beforeMs: UnixMs): Promise<number> {
  let removed = 0;
  for (const pair of await listTapePairs(folder)) {
    const files = await listTapeFiles(folder, pair);
    for (const { path, hourMs } of files.slice(0, -1)) {
      // Only the oldest files are removed, so that the hashes of the others stay one chain.
      if (hourMs + MS_PER_HOUR > beforeMs) break;
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}
