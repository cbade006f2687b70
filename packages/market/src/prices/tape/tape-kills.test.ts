import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pairId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { scaledCount } from "../../../../../test/environment/depth.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { createTapeReader } from "./tape-reader.ts";
import { createRecordingTape } from "./tape-writer.ts";
import { verifyTape } from "./verify-tape.ts";

const WORKER = fileURLToPath(
  new URL("../../../../server/src/testing/tape-worker.ts", import.meta.url),
);
const KILLS = scaledCount(30);
const ALL = { fromMs: unixMs(0), toMs: unixMs(Number.MAX_SAFE_INTEGER) };

/** Runs a recording process and kills it after `flushes`. Returns the last number that it reported as written. */
async function killAfter(folder: string, epoch: number, flushes: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ["--conditions=@propgate/source", WORKER, folder, String(epoch)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let seen = 0;
  let last = 0;
  child.stdout.setEncoding("utf8");
  let rest = "";
  child.stdout.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      last = Number(line);
      seen += 1;
    }
    if (seen >= flushes) child.kill("SIGKILL");
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGKILL");
  return last;
}

test("every flushed quote is on the tape once after kills during writes, and no chain is broken", async () => {
  const folder = await makeTemporaryFolder();
  const flushed: number[] = [];
  for (let epoch = 1; epoch <= KILLS; epoch += 1) {
    flushed.push(await killAfter(folder, epoch, 1 + ((epoch * 7) % 23)));
  }
  // One more start cuts off the unfinished chunk of the last kill.
  const tape = createRecordingTape({ folder, onRepair: () => undefined });
  await tape.open();
  expect(tape.lastEpoch()).toBe(KILLS);
  await tape.close();
  expect((await verifyTape(folder)).faults).toEqual([]);
  const numbers = new Map<number, number[]>();
  for (const pair of ["BTCUSD", "EURUSD"].map(pairId)) {
    for await (const group of createTapeReader(folder).read(pair, ALL)) {
      for (const { epoch, number } of group) {
        numbers.set(epoch, [...(numbers.get(epoch) ?? []), number]);
      }
    }
  }
  for (const [index, last] of flushed.entries()) {
    const seen = (numbers.get(index + 1) ?? []).sort((one, other) => one - other);
    expect(new Set(seen).size).toBe(seen.length);
    const expected = Array.from({ length: last }, (_, before) => before + 1);
    expect(seen.slice(0, last)).toEqual(expected);
  }
});
