import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { scaledCount } from "../../../../../test/environment/depth.ts";
import {
  createCountingNetwork,
  NO_MARKET,
  TEST_MIDNIGHT,
} from "../../../../server/src/testing/counting-network.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { openDatabase } from "../../storage/databases/open-database.ts";
import { createDueWork } from "../due-work.ts";
import { verifyJournal } from "../journal/verify-journal.ts";

const KILLS = scaledCount(3, 2);
const ANSWERS_BEFORE_A_KILL = 200;
const ACCOUNTS = 1_000;

describe("a killed service", () => {
  test("a killed service has stored everything that it answered, and a complete journal", async () => {
    const place = { databaseUrl: null, dataDir: await makeTemporaryFolder() };
    const first = await openDatabase(place);
    const id = await createCountingNetwork(first).open();
    await first.close();
    let newest = 1;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const worker = ["counting-worker.ts", place.dataDir, id] as const;
      newest = await killAfter(worker, newest + ANSWERS_BEFORE_A_KILL);
      const database = await openDatabase(place);
      const { broken, events } = await verifyJournal(database, "all");
      expect(broken).toEqual([]);
      expect(events).toBeGreaterThanOrEqual(newest);
      await database.close();
    }
    expect(newest).toBeGreaterThan(KILLS * ANSWERS_BEFORE_A_KILL);
  });

  test("a killed service that dies at midnight ends the day of the remaining accounts after its restart", async () => {
    const place = { databaseUrl: null, dataDir: await makeTemporaryFolder() };
    const first = await openDatabase(place);
    const before = createCountingNetwork(first);
    await Promise.all(Array.from({ length: ACCOUNTS }, () => before.open()));
    await first.close();
    const ended = await killAfter(["due-worker.ts", place.dataDir], ACCOUNTS);
    expect(ended).toBeGreaterThan(0);

    const database = await openDatabase(place);
    const network = createCountingNetwork(database);
    network.now = TEST_MIDNIGHT;
    const clock = { now: () => network.now };
    const onFault = (cause: unknown): never => {
      throw cause;
    };
    const { executor } = network;
    const due = createDueWork({ database, executor, clock, market: NO_MARKET, onFault });
    const { accounts } = await due.runDue();
    expect(accounts).toBeLessThanOrEqual(ACCOUNTS - ended);
    expect(accounts).toBeGreaterThan(0);
    expect(await due.runDue()).toEqual({ accounts: 0, latenessMs: null });
    const days = await database.query(
      `select count(*)::int as days, count(distinct account_id)::int as accounts,
         count(distinct day_start_ms)::int as midnights from daily_returns`,
      [],
    );
    expect(days).toEqual([{ days: ACCOUNTS, accounts: ACCOUNTS, midnights: 1 }]);
    expect(await verifyJournal(database, "all")).toEqual({
      accounts: ACCOUNTS,
      events: 2 * ACCOUNTS,
      broken: [],
    });
    await database.close();
  });
});

/** Kills the process after this many answers, and returns the last number that it reported. */
async function killAfter(
  [worker, ...given]: readonly [worker: string, ...given: string[]],
  answers: number,
): Promise<number> {
  const script = fileURLToPath(
    new URL(`../../../../server/src/testing/${worker}`, import.meta.url),
  );
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
