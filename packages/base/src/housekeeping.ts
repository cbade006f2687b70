import type { UnixMs } from "@propgate/core";
import type { Clock, Timer } from "./clock.ts";
import type { Log } from "./log.ts";

/** Work that a running service does again and again. */
export interface Job {
  /** The name in the log and in the operator's health report. */
  readonly name: string;
  /** Milliseconds from the end of a run to the start of the next; also before the first run. */
  readonly everyMs: number;
  /**
   * Milliseconds from a failed run to the next. When absent, the wait is twice `everyMs` after the first failure, and
   * each further failure doubles it, up to five seconds; but it is never shorter than `everyMs`.
   */
  readonly retryMs?: number;
  run(): Promise<void>;
}

/** The state of a job, for the operator's health report. */
export interface JobHealth {
  readonly name: string;
  /** The start of the last finished run; null before the first one has finished. */
  readonly lastRunAtMs: UnixMs | null;
  /** The duration of the last finished run; null before there is one. */
  readonly lastDurationMs: number | null;
  /** How many runs have failed since the last one that succeeded. */
  readonly failures: number;
  /** The error of the last finished run; null when it succeeded. */
  readonly lastError: string | null;
}

/** Runs jobs independently: a slow or failing job delays no other, and no job overlaps itself. */
export interface Housekeeping {
  start(jobs: readonly Job[]): void;
  health(): readonly JobHealth[];
  /** Starts no further run; resolves when the runs in progress have ended. */
  stop(): Promise<void>;
}

/** The wait after a failed run doubles up to this, so that the job recovers soon after the cause is gone. */
const RETRY_MAX_MS = 5_000;

interface Running {
  readonly job: Job;
  health: JobHealth;
  cancel: () => void;
  underWay: Promise<void>;
}

export function createHousekeeping(options: {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Pick<Log, "error" | "info">;
}): Housekeeping {
  const { clock, timer } = options;
  const running: Running[] = [];
  let isStopped = false;

  const runOnce = async (one: Running): Promise<void> => {
    const startedMs = clock.now();
    const { failures: before, lastError: errorBefore } = one.health;
    const error = await runJob(one.job);
    const failures = error === null ? 0 : before + 1;
    one.health = {
      name: one.job.name,
      lastRunAtMs: startedMs,
      lastDurationMs: clock.now() - startedMs,
      failures,
      lastError: error === null ? null : error.text,
    };
    const about = { job: one.job.name, failures: Math.max(failures, before) };
    if (error !== null && error.text !== errorBefore) {
      options.log.error({ ...about, err: error.cause }, "housekeeping failed and is retried");
    } else if (error === null && before > 0) {
      options.log.info(about, "housekeeping works again");
    }
    wait(one);
  };
  const wait = (one: Running): void => {
    if (isStopped) return;
    one.cancel = timer.after(nextDelayMs(one), () => {
      one.underWay = runOnce(one);
    });
  };
  return {
    start(jobs) {
      for (const job of jobs) {
        const health = { lastRunAtMs: null, lastDurationMs: null, failures: 0, lastError: null };
        const one: Running = {
          job,
          health: { name: job.name, ...health },
          cancel: () => undefined,
          underWay: Promise.resolve(),
        };
        running.push(one);
        wait(one);
      }
    },
    health: () => running.map((one) => one.health),
    async stop() {
      isStopped = true;
      for (const one of running) one.cancel();
      await Promise.all(running.map((one) => one.underWay));
    },
  };
}

function nextDelayMs({ job: { everyMs, retryMs }, health: { failures } }: Running): number {
  if (failures === 0) return everyMs;
  return retryMs ?? Math.max(everyMs, Math.min(RETRY_MAX_MS, everyMs * 2 ** failures));
}

async function runJob(
  job: Job,
): Promise<{ readonly text: string; readonly cause: unknown } | null> {
  try {
    await job.run();
    return null;
  } catch (cause) {
    return { text: cause instanceof Error ? cause.message : String(cause), cause };
  }
}
