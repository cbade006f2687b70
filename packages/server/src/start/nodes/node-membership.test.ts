import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHousekeeping } from "../../../../base/src/housekeeping.ts";
import { systemChance } from "../../../../base/src/random.ts";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { ALIVE_FOR_MS } from "../../storage/node-store.ts";
import { createManualTime } from "../../testing/manual-time.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";
import { joinNodes } from "./node-membership.ts";

const START_MS = Date.UTC(2026, 2, 3, 12);
const STEP_MS = 100;

test("a node does not count as dead because one heartbeat failed", async () => {
  await using stack = new AsyncDisposableStack();
  const real = stack.adopt(await openTestDatabase(), (one) => one.close());
  const time = createManualTime(START_MS);
  const beats: number[] = [];
  let isLost = false;
  const database: Database = {
    ...real,
    kind: "postgres",
    async query(text, parameters) {
      if (text.startsWith("update nodes set seen_at_ms")) {
        if (isLost) throw new Error("the connection broke");
        beats.push(time.clock.now() - START_MS);
      }
      return real.query(text, parameters);
    },
  };
  const { heartbeat } = await joinNodes({
    database,
    configuration: { release: "test", stateFormat: 1, catalogue: "test" },
    roles: ["engine"],
    hasBus: true,
    chance: systemChance,
    timer: time.timer,
  });
  const log = { info: () => undefined, error: () => undefined };
  createHousekeeping({ clock: time.clock, timer: time.timer, log }).start([heartbeat]);
  const pass = async (ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      await time.pass(STEP_MS);
      await real.query("select 1", []);
      await setImmediate();
    }
  };
  await pass(3_000);
  isLost = true;
  await pass(2_000);
  isLost = false;
  await pass(3_000);
  const [first = 0, second = Number.POSITIVE_INFINITY] = beats;
  expect(second - first).toBeLessThan(ALIVE_FOR_MS - 1_000);
});
