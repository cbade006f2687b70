/** The wall clocks of the nodes, which may be wrong and step. The steady clock beside one never does. */
import type { Draw } from "../draw.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A clock within this distance from the run's time counts as right: its node works like any other. */
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
  /** Milliseconds by which it is ahead of the run's time; negative when it is behind. */
  readonly aheadMs: number;
  /** True when its node must not decide. */
  readonly isWrong: boolean;
  /** Follows these steps instead of those that are still to come. */
  follow(steps: readonly ClockStep[]): void;
  /** Takes the steps up to this steady time; true when there was one. */
  passTo(steadyMs: number): boolean;
}

/** The lead of the clock from this steady time on. */
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

/** How a clock is wrong several times, and right in between. */
interface Course {
  readonly times: number;
  readonly wrongBy: readonly number[];
  readonly maxMs: number;
}

const MIN_MS = 200;

function courseOf(draw: Draw, fromMs: number, { times, wrongBy, maxMs }: Course) {
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

export function drawSteps(draw: Draw, fromMs: number): readonly ClockStep[] {
  const times = 1 + draw.below(STEPS_MAX);
  return courseOf(draw, fromMs, { times, wrongBy: WRONG_BY_MS, maxMs: STEP_MAX_MS });
}

const SWINGS_MIN = 2;
const SWINGS_MORE = 4;
const SWING_MAX_MS = 3_000;

/** An hour forth or back, and right again, several times. */
export function drawSwings(draw: Draw, fromMs: number): readonly ClockStep[] {
  const times = SWINGS_MIN + draw.below(SWINGS_MORE);
  return courseOf(draw, fromMs, { times, wrongBy: [-HOUR_MS, HOUR_MS], maxMs: SWING_MAX_MS });
}

const MOMENT_MAX_MS = 1_500;
const AHEAD_MS = WRONG_BY_MS.filter((ms) => ms > RIGHT_WITHIN_MS);

/** Once ahead, and right again before the node has given anything up. */
export function drawMoment(draw: Draw, fromMs: number): readonly ClockStep[] {
  return courseOf(draw, fromMs, { times: 1, wrongBy: AHEAD_MS, maxMs: MOMENT_MAX_MS });
}
