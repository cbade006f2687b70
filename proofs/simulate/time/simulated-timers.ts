import type { Timer } from "../../../packages/base/src/clock.ts";
import type { RandomDraw } from "../random-draw.ts";
import type { NodeLife } from "../shared-database.ts";

/** The timers of all processes. The run decides when a timer that is due fires. */
export interface SimulatedTimers {
  of(life: NodeLife): Timer;
  /** The number of processes that are not paused and have a due timer. */
  readonly due: number;
  /** Fires the earliest timer of a random process that has a due one. Returns the index of its node. */
  fire(): number;
  /** The time of the next timer of all processes that are not paused; null when there is none. */
  nextMs(): number | null;
  /** Cancels the timers of a process that has ended, and ignores timers that it starts later. */
  forget(life: NodeLife): void;
}

interface WaitingTimer {
  readonly atMs: number;
  readonly call: () => void;
}

export function createSimulatedTimers(need: {
  readonly draw: RandomDraw;
  /** The steady time of the run. */
  readonly nowMs: () => number;
}): SimulatedTimers {
  const waiting = new Map<NodeLife, WaitingTimer[]>();
  const ended = new WeakSet<NodeLife>();

  /** The earliest timer of each process that is not paused; the first one of several equal ones. */
  const next = (): readonly { readonly life: NodeLife; readonly timer: WaitingTimer }[] =>
    [...waiting].flatMap(([life, timers]) => {
      const [first, ...others] = timers;
      if (first === undefined || life.isPaused) return [];
      return [
        { life, timer: others.reduce((one, two) => (two.atMs < one.atMs ? two : one), first) },
      ];
    });
  const cancel = (life: NodeLife, timer: WaitingTimer): void => {
    const timers = waiting.get(life) ?? [];
    const at = timers.indexOf(timer);
    if (at !== -1) timers.splice(at, 1);
  };
  const due = () => next().filter(({ timer }) => timer.atMs <= need.nowMs());

  return {
    of: (life) => ({
      after(ms, call) {
        if (ended.has(life)) return () => undefined;
        const timer: WaitingTimer = { atMs: need.nowMs() + ms, call };
        const timers = waiting.get(life);
        if (timers === undefined) waiting.set(life, [timer]);
        else timers.push(timer);
        return () => cancel(life, timer);
      },
    }),
    get due() {
      return due().length;
    },
    fire() {
      const { life, timer } = need.draw.pick(due());
      cancel(life, timer);
      timer.call();
      return life.node;
    },
    nextMs() {
      const times = next().map(({ timer }) => timer.atMs);
      return times.length === 0 ? null : Math.min(...times);
    },
    forget(life) {
      waiting.delete(life);
      ended.add(life);
    },
  };
}
