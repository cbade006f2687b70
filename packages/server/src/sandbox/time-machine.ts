import type { UnixMs } from "@propgate/core";
import type { DueWork } from "../network/due-work.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

export interface TimeMachine {
  /** Moves the clock and settles everything that falls due on the way, each at its own moment. */
  moveTo(atMs: UnixMs): Promise<void>;
}

export function createTimeMachine(need: {
  readonly clock: SandboxClock;
  readonly due: DueWork;
  readonly market: { sweep(): Promise<void>; settled(): Promise<void> };
  /** Called before anything happens at the new time, so that a restart never wakes before it. */
  readonly saveClock: (atMs: UnixMs) => Promise<void>;
}): TimeMachine {
  const stopAt = async (atMs: UnixMs) => {
    await need.saveClock(atMs);
    if (atMs > need.clock.now()) need.clock.moveTo(atMs);
    await need.due.runDue();
    await need.market.sweep();
    await need.market.settled();
  };
  let turn: Promise<void> = Promise.resolve();
  const move = async (atMs: UnixMs) => {
    for (;;) {
      const dueMs = need.due.nextDueMs(need.clock.now());
      if (dueMs >= atMs) break;
      await stopAt(dueMs);
    }
    await stopAt(atMs);
  };
  return {
    moveTo(atMs) {
      const mine = turn.then(() => move(atMs));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
