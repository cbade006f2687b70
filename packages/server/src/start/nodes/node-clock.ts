import {
  type Clock,
  type Job,
  type Log,
  type Stopwatch,
  systemClock,
  systemStopwatch,
} from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import { CLOCK_SKEW_MAX_MS, clockDistanceText, type Database } from "@propgate/ledger";
import { createNodeStore } from "../../storage/node-store.ts";

/**
 * This machine's clock compared with the database's, which is the one clock of all nodes. A node whose clock is wrong
 * would end days early, write journal lines with future times and make other nodes wait. So it decides no account until
 * its clock is right.
 */
export interface NodeClock {
  /**
   * Milliseconds by which this clock is ahead of the database's at present; negative when it is behind, null before the
   * first comparison.
   */
  aheadMs(): number | null;
  /** The reason why this node must not decide accounts; null while its clock is right. */
  problem(): string | null;
  /** The job that compares the clocks. It also runs once before the node begins its work. */
  readonly job: Job;
}

const LOOK_EVERY_MS = 2_000;
/**
 * When an answer of the database took longer, it is not known precisely enough when the database read its clock. Only
 * the first comparison uses such an answer.
 */
const ANSWER_MAX_MS = 2_000;

export function createNodeClock(options: {
  /** Reads the time of the database's clock. */
  readonly databaseNow: () => Promise<UnixMs>;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  readonly log: Pick<Log, "info" | "error">;
}): NodeClock {
  const { clock, steadyClock, log } = options;
  const now = () => ({ wallMs: clock.now(), steadyMs: steadyClock.nowMs() });
  let last: { readonly at: ReturnType<typeof now>; readonly aheadMs: number } | null = null;
  let isReported = false;

  /**
   * The difference at the last comparison plus every step of this clock since then. The steady clock never steps, so
   * the comparison with it shows the steps. @rule D12.clockStep decides
   */
  const aheadMs = (): number | null => {
    if (last === null) return null;
    const { wallMs, steadyMs } = now();
    return last.aheadMs + (wallMs - last.at.wallMs) - (steadyMs - last.at.steadyMs);
  };
  // The clock counts as wrong before the first comparison, and while it differs from the database's by more than
  // `CLOCK_SKEW_MAX_MS`. @rule D12.oneClock decides
  const problem = (): string | null => {
    const ahead = aheadMs();
    if (ahead === null) return "the clock of this node was not compared with the database's yet";
    if (Math.abs(ahead) <= CLOCK_SKEW_MAX_MS) return null;
    return `the clock of this node is ${clockDistanceText(ahead)} the database's, so it decides nothing`;
  };
  const report = (): void => {
    const found = problem();
    if ((found !== null) === isReported) return;
    isReported = found !== null;
    if (found === null) log.info("the clock of this node is right again");
    else log.error({ aheadMs: aheadMs() }, found);
  };
  const compareClocks = async (): Promise<void> => {
    // A step is reported before the next comparison. If the database's clock has stepped too, the comparison would hide
    // it.
    if (last !== null) report();
    const at = now();
    const databaseMs = await options.databaseNow();
    // The wait is measured by the steady clock, because the other clock may step meanwhile.
    const waitedMs = steadyClock.nowMs() - at.steadyMs;
    if (last === null || waitedMs <= ANSWER_MAX_MS) {
      const min = at.wallMs - databaseMs;
      const max = min + waitedMs;
      // The database answered at an unknown moment within the wait. A difference that this uncertainty can explain
      // counts as 0.
      last = { at, aheadMs: min > 0 ? min : Math.min(0, max) };
    }
    report();
  };

  return {
    aheadMs,
    problem,
    job: { ...LOOKING, run: compareClocks },
  };
}

const LOOKING = { name: "clock", everyMs: LOOK_EVERY_MS, retryMs: LOOK_EVERY_MS };

/** The time of this machine's clock, or of the database's clock while this machine's clock is wrong. */
export function correctedTime(
  { problem, aheadMs }: Pick<NodeClock, "problem" | "aheadMs">,
  clock: Clock,
): UnixMs {
  // The difference has fractions of a millisecond, because the steady clock has.
  const wrongMs = problem() === null ? 0 : Math.round(aheadMs() ?? 0);
  return unixMs(clock.now() - wrongMs);
}

/** A clock that is never wrong, for parts that run without a service. */
export const RIGHT_CLOCK: NodeClock = {
  aheadMs: () => 0,
  problem: () => null,
  job: { ...LOOKING, run: async () => undefined },
};

/**
 * The clock of this process, compared once with that of the database. An embedded database has the same clock. There
 * only a step of the clock is noticed, and only until the next comparison.
 */
export async function openNodeClock(database: Database, log: Log): Promise<NodeClock> {
  const store = createNodeStore(database);
  const nodeClock = createNodeClock({
    databaseNow: () => store.now(),
    clock: systemClock,
    steadyClock: systemStopwatch,
    log,
  });
  await nodeClock.job.run();
  return nodeClock;
}

/** Makes a job pause while the clock is wrong. It is for jobs that delete old rows or write rows with the time. */
export function pauseWhileWrong(clock: Pick<NodeClock, "problem">, job: Job): Job {
  return { ...job, run: async () => (clock.problem() === null ? job.run() : undefined) };
}
