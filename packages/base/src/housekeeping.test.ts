import { describe, expect, test } from "vitest";
import { createManualTime } from "../../server/src/testing/manual-time.ts";
import { createHousekeeping, type Housekeeping, type Job } from "./housekeeping.ts";

const START_MS = 1_767_614_400_000;

interface Kept {
  readonly housekeeping: Housekeeping;
  readonly lines: readonly string[];
  /** Moves the time forward second by second, so that jobs run and end in between. */
  readonly seconds: (count: number) => Promise<void>;
}

function keep(jobs: readonly Job[]): Kept {
  const time = createManualTime(START_MS);
  const lines: string[] = [];
  const housekeeping = createHousekeeping({
    clock: time.clock,
    timer: time.timer,
    log: {
      error: (about: object, text?: string) => void lines.push(`${text} ${JSON.stringify(about)}`),
      info: (about: object, text?: string) => void lines.push(`${text} ${JSON.stringify(about)}`),
    },
  });
  housekeeping.start(jobs);
  return {
    housekeeping,
    lines,
    async seconds(count) {
      for (let second = 0; second < count; second += 1) {
        await time.pass(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** A job that counts its runs; `run` decides how each one ends. */
function countingJob(
  name: string,
  everyMs: number,
  run: () => Promise<void> = async () => undefined,
) {
  const job = {
    name,
    everyMs,
    runs: 0,
    run() {
      job.runs += 1;
      return run();
    },
  };
  return job;
}

describe("housekeeping", () => {
  test("housekeeping runs each job at its own period, and a slow one delays none and never overlaps itself", async () => {
    const end = Promise.withResolvers<void>();
    const slow = countingJob("slow", 1_000, () => end.promise);
    const [quick, rare] = [countingJob("quick", 1_000), countingJob("rare", 4_000)];
    const { housekeeping, seconds } = keep([slow, quick, rare]);
    await seconds(8);
    expect([slow.runs, quick.runs, rare.runs]).toEqual([1, 8, 2]);
    expect(housekeeping.health()).toMatchObject([
      { name: "slow", lastRunAtMs: null, lastDurationMs: null },
      { name: "quick", lastRunAtMs: START_MS + 8_000, failures: 0, lastError: null },
      { name: "rare", lastRunAtMs: START_MS + 8_000 },
    ]);
    end.resolve();
    await seconds(2);
    expect(slow.runs).toBe(2);
    expect(housekeeping.health()[0]).toMatchObject({ lastDurationMs: 0 });
  });

  test("housekeeping retries a failing job that cannot wait at its own pace, however often it fails", async () => {
    let isFailing = true;
    const failing = {
      ...countingJob("renewal", 4_000, async () => {
        times += 1;
        if (isFailing) throw new Error("no database");
      }),
      retryMs: 1_000,
    };
    let times = 0;
    const { seconds } = keep([failing]);
    await seconds(4 + 10);
    expect(times).toBe(1 + 10);
    isFailing = false;
    // The retry after one second succeeds, and the next run begins after `everyMs` as before the failures.
    await seconds(1 + 3);
    expect(times).toBe(12);
    await seconds(1);
    expect(times).toBe(13);
  });

  test("housekeeping retries a failing job less often, logs each error once, and says that it works again", async () => {
    let error: string | null = "no disk";
    const failing = countingJob("failing", 1_000, async () => {
      if (error !== null) throw new Error(error);
    });
    const other = countingJob("other", 1_000);
    const { housekeeping, lines, seconds } = keep([failing, other]);
    // The failing job runs after 1, 3, 7, 12 and 17 seconds.
    await seconds(17);
    expect([failing.runs, other.runs]).toEqual([5, 17]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/housekeeping failed.*"job":"failing","failures":1/);
    expect(housekeeping.health()[0]).toMatchObject({ failures: 5, lastError: "no disk" });
    error = "no lock";
    await seconds(5);
    error = null;
    await seconds(5);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/housekeeping works again.*"job":"failing","failures":6/);
    expect(housekeeping.health()[0]).toMatchObject({ failures: 0, lastError: null });
  });

  test("housekeeping ends with the runs that are under way, and begins no other", async () => {
    const end = Promise.withResolvers<void>();
    const slow = countingJob("slow", 1_000, () => end.promise);
    const { housekeeping, seconds } = keep([slow]);
    await seconds(1);
    let isStopped = false;
    const stopping = housekeeping.stop().then(() => {
      isStopped = true;
    });
    await seconds(1);
    expect(isStopped).toBe(false);
    end.resolve();
    await stopping;
    await seconds(5);
    expect(slow.runs).toBe(1);
  });
});
