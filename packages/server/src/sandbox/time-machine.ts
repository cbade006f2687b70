import type { UnixMs } from "@propgate/core";
import type { DueWork } from "../network/due-work.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

export interface TimeMachine {
  /** Moves the clock and settles everything that falls due on the way, each at its own moment. */
  moveTo(atMs: UnixMs): Promise<void>;
}

export function createTimeMachine(need: {
  readonly clock: SandboxClock;
  readonly due: Pick<DueWork, "nextDueMs" | "runDue">;
  readonly market: { sweep(): Promise<void>; settled(): Promise<void> };
  /** Called before anything happens at the new time, so that a restart never wakes before it. */
  readonly saveClock: (atMs: UnixMs) => Promise<void>;
}): TimeMachine {
  const { clock, due, market } = need;
  const stopAt = async (atMs: UnixMs) => {
    await need.saveClock(atMs);
    if (atMs > clock.now()) clock.moveTo(atMs);
    await due.runDue();
    await market.sweep();
    await market.settled();
  };
  let turn: Promise<void> = Promise.resolve();
  const move = async (atMs: UnixMs) => {
    // What a killed process had not come to, or what has come while the clock ran by itself.
    await stopAt(clock.now());
    // Asked anew after each stop, which may bring about something that is due before what was next.
    // What has to wait for a price stays due in the past, where nobody stops again.
    for (;;) {
      const dueMs = await due.nextDueMs(clock.now());
      if (dueMs === null || dueMs >= atMs) break;
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
