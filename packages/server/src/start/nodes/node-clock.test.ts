import { unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { correctedTime, createNodeClock, pauseWhileWrong } from "./node-clock.ts";

const NOON = Date.UTC(2026, 2, 3, 12);
const HOUR_MS = 3_600_000;

/**
 * A node whose wall clock is ahead of the database's by `ahead.ms`. An answer of the database takes `answer.ms`, and
 * meanwhile the node's clock steps by `answer.stepMs`. With `own`, the database has the same clock as the node.
 */
function apart(aheadMs: number, database: "other" | "own" = "other") {
  const ahead = { ms: aheadMs };
  const answer = { ms: 0, stepMs: 0 };
  let steadyMs = 0;
  const logged: string[] = [];
  const clock = { now: () => unixMs(NOON + Math.floor(steadyMs) + ahead.ms) };
  const nodeClock = createNodeClock({
    clock,
    steadyClock: { nowMs: () => steadyMs },
    async databaseNow() {
      steadyMs += answer.ms / 2;
      const now = unixMs(NOON + steadyMs + (database === "own" ? ahead.ms : 0));
      ahead.ms += answer.stepMs;
      steadyMs += answer.ms / 2;
      return now;
    },
    log: {
      info: (_about: unknown, text?: string) => void logged.push(text ?? String(_about)),
      error: (_about: unknown, text?: string) => void logged.push(String(text)),
    } as never,
  });
  const pass = (ms: number): void => {
    steadyMs += ms;
  };
  return { nodeClock, clock, ahead, answer, pass, logged };
}

test("a clock that was never compared is not right", () => {
  expect(apart(0).nodeClock.problem()).toContain("was not compared");
});

test.each([
  [0, null],
  [1_000, null],
  [-1_000, null],
  [2_000, null],
  [2_001, "2.0 s ahead of"],
  [-8_000, "8.0 s behind"],
  [3 * HOUR_MS, "10800.0 s ahead of"],
  [-3 * HOUR_MS, "10800.0 s behind"],
])("a clock is judged when it is %d ms ahead: %j [D12.oneClock]", async (aheadMs, problem) => {
  const { nodeClock } = apart(aheadMs);
  await nodeClock.job.run();
  expect(nodeClock.aheadMs()).toBe(aheadMs);
  if (problem === null) expect(nodeClock.problem()).toBe(null);
  else expect(nodeClock.problem()).toContain(problem);
});

test("a clock that steps is wrong immediately, and right again as soon as it steps back [D12.oneClock] [D12.clockStep]", async () => {
  const { nodeClock, ahead, pass } = apart(0);
  await nodeClock.job.run();
  pass(HOUR_MS);
  expect(nodeClock.problem()).toBe(null);
  ahead.ms = -HOUR_MS;
  expect(nodeClock.problem()).toContain("3600.0 s behind");
  ahead.ms = 500;
  expect(nodeClock.problem()).toBe(null);
});

test.each([
  [0, 8_000, "8.0 s ahead of"],
  [0, -8_000, "8.0 s behind"],
  [8_000, -8_000, null],
])(
  "a clock that steps during the comparison is judged by the step: %d ms ahead, %d ms, %j",
  async (aheadMs, stepMs, problem) => {
    const { nodeClock, answer } = apart(aheadMs);
    await nodeClock.job.run();
    answer.stepMs = stepMs;
    await nodeClock.job.run();
    if (problem === null) expect(nodeClock.problem()).toBe(null);
    else expect(nodeClock.problem()).toContain(problem);
  },
);

test.each([-3 * HOUR_MS, 3 * HOUR_MS])(
  "the time of a clock that is %d ms ahead is the database's [D12.oneClock]",
  async (aheadMs) => {
    const { nodeClock, clock, ahead, pass } = apart(aheadMs);
    await nodeClock.job.run();
    expect(correctedTime(nodeClock, clock)).toBe(NOON);
    pass(60_000);
    expect(correctedTime(nodeClock, clock)).toBe(NOON + 60_000);
    ahead.ms = 1_000;
    expect(correctedTime(nodeClock, clock)).toBe(NOON + 61_000);
  },
);

test("a slow answer proves no difference, and takes none back", async () => {
  const slow = apart(0);
  slow.answer.ms = 1_800;
  await slow.nodeClock.job.run();
  expect([slow.nodeClock.aheadMs(), slow.nodeClock.problem()]).toEqual([0, null]);
  const wrong = apart(4_000);
  await wrong.nodeClock.job.run();
  wrong.answer.ms = 20_000;
  await wrong.nodeClock.job.run();
  expect(wrong.nodeClock.problem()).toContain("4.0 s ahead of");
});

test("a wrong clock is reported once, and its work rests until the clock is right", async () => {
  const { nodeClock, ahead, logged } = apart(5_000);
  let runs = 0;
  const job = pauseWhileWrong(nodeClock, {
    name: "old nonces",
    everyMs: 1_000,
    async run() {
      runs += 1;
    },
  });
  for (const _ of [1, 2, 3]) {
    await nodeClock.job.run();
    await job.run();
  }
  expect(runs).toBe(0);
  ahead.ms = 0;
  await nodeClock.job.run();
  await job.run();
  expect(runs).toBe(1);
  expect(logged).toEqual([
    expect.stringContaining("5.0 s ahead of the database's, so it decides nothing"),
    "the clock of this node is right again",
  ]);
});

test("a step of the clock of node and embedded database counts until the next comparison, and is reported", async () => {
  const { nodeClock, ahead, logged } = apart(0, "own");
  await nodeClock.job.run();
  ahead.ms = -HOUR_MS;
  expect(nodeClock.problem()).toContain("3600.0 s behind");
  await nodeClock.job.run();
  expect(nodeClock.problem()).toBeNull();
  expect(logged).toEqual([
    expect.stringContaining("3600.0 s behind"),
    "the clock of this node is right again",
  ]);
});
