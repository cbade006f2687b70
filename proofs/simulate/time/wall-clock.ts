/** The wall clocks of the nodes, which may be wrong and may jump. The steady clock does neither. */
import type { RandomDraw } from "../random-draw.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A clock within this distance of the run's time counts as right, and its node works like any other. */
export const RIGHT_WITHIN_MS = SECOND_MS;
const WRONG_BY_MS: readonly number[] = [
  3 * HOUR_MS,
  -3 * HOUR_MS,
  8 * SECOND_MS,
  -8 * SECOND_MS,
  61 * DAY_MS,
  SECOND_MS,
  -SECOND_MS,
];

export interface WallClock {
  /** The milliseconds by which the clock is ahead of the run's time; negative when it is behind. */
  readonly aheadMs: number;
  /** True when the clock is so wrong that its node must not decide. */
  readonly isWrong: boolean;
  /** Replaces the steps that are still to come by these. */
  follow(steps: readonly ClockStep[]): void;
  /** Carries out the steps up to this steady time. True when there was one. */
  passTo(steadyMs: number): boolean;
}

/** The milliseconds `aheadMs` by which a clock is ahead from the steady time `atMs` on. */
export interface ClockStep {
  readonly atMs: number;
  readonly aheadMs: number;
}

export function createWallClock(): WallClock {
  let aheadMs = 0;
  let coming: readonly ClockStep[] = [];
  return {
    get aheadMs() {
      return aheadMs;
    },
    get isWrong() {
      return Math.abs(aheadMs) > RIGHT_WITHIN_MS;
    },
    follow(steps) {
      coming = steps;
    },
    passTo(steadyMs) {
      const passed = coming.filter(({ atMs }) => atMs <= steadyMs);
      coming = coming.slice(passed.length);
      aheadMs = passed.at(-1)?.aheadMs ?? aheadMs;
      return passed.length > 0;
    },
  };
}

/**
 * A sequence of errors of a clock. `times` is the number of errors, and each is drawn from `wrongBy`. Between two
 * errors the clock is right. `maxMs` is the longest time until the next error begins or ends.
 */
interface WrongCourse {
  readonly times: number;
  readonly wrongBy: readonly number[];
  readonly maxMs: number;
}

const MIN_MS = 200;

function courseOf(draw: RandomDraw, fromMs: number, { times, wrongBy, maxMs }: WrongCourse) {
  let atMs = fromMs;
  return Array.from({ length: times }, () =>
    [draw.pick(wrongBy), 0].map((aheadMs): ClockStep => {
      const step = { atMs, aheadMs };
      atMs += Math.round(draw.magnitude(MIN_MS, maxMs));
      return step;
    }),
  ).flat();
}

const STEPS_MAX = 3;
const STEP_MAX_MS = 120_000;

/** The clock is off once or several times, for up to two minutes each. An error of one second still counts as right. */
export function drawClockSteps(draw: RandomDraw, fromMs: number): readonly ClockStep[] {
  const times = 1 + draw.below(STEPS_MAX);
  return courseOf(draw, fromMs, { times, wrongBy: WRONG_BY_MS, maxMs: STEP_MAX_MS });
}

const SWINGS_MIN = 2;
const SWINGS_MORE = 4;
const SWING_MAX_MS = 3_000;

/** The clock is an hour ahead or behind for a few seconds, several times. */
export function drawClockSwings(draw: RandomDraw, fromMs: number): readonly ClockStep[] {
  const times = SWINGS_MIN + draw.below(SWINGS_MORE);
  return courseOf(draw, fromMs, { times, wrongBy: [-HOUR_MS, HOUR_MS], maxMs: SWING_MAX_MS });
}

const MOMENT_MAX_MS = 1_500;
const AHEAD_MS = WRONG_BY_MS.filter((ms) => ms > RIGHT_WITHIN_MS);

/** The clock is ahead once, and right again before the node has given up any lease. */
export function drawShortLead(draw: RandomDraw, fromMs: number): readonly ClockStep[] {
  return courseOf(draw, fromMs, { times: 1, wrongBy: AHEAD_MS, maxMs: MOMENT_MAX_MS });
}
