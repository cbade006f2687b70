import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { verifyJournal } from "../journal/verify-journal.ts";
import { openDatabase } from "../storage/open-database.ts";
import { countingNetwork } from "../testing/counting-network.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const KILLS = 3;
const ANSWERS_BEFORE_A_KILL = 200;

describe("a service killed in the middle of its work", () => {
  test("has everything that it had answered, and a whole journal", async () => {
    const place = { databaseUrl: null, dataDir: await temporaryFolder() };
    const first = await openDatabase(place);
    const id = await countingNetwork(first).open();
    await first.close();
    let newest = 1;
    for (let kill = 0; kill < KILLS; kill += 1) {
      newest = await killAfter([place.dataDir, id], newest + ANSWERS_BEFORE_A_KILL);
      const database = await openDatabase(place);
      const { broken, events } = await verifyJournal(database, "all");
      expect(broken).toEqual([]);
      expect(events).toBeGreaterThanOrEqual(newest);
      await database.close();
    }
    expect(newest).toBeGreaterThan(KILLS * ANSWERS_BEFORE_A_KILL);
  });
});

/** The newest version that the process said it had been answered before it was gone. */
async function killAfter(given: readonly string[], answers: number): Promise<number> {
  const script = fileURLToPath(new URL("../testing/counting-worker.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@propgate/source", script, ...given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let newest = 0;
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) newest = Math.max(newest, Number(line));
    if (newest >= answers) child.kill("SIGKILL");
  });
  const [code, signal] = await once(child, "close");
  if (signal !== "SIGKILL") throw new Error(`the process ended by itself: ${String(code)}`);
  return newest;
}
