import { createSerialQueue } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { ActionDesk, DueWork, NonceMerger } from "@propgate/ledger";
import type { WebhookLanes } from "@propgate/push";
import type { SandboxClock } from "./sandbox-clock.ts";

/** Moves the clock of a sandbox, and does all work that becomes due on the way. */
export interface TimeMachine {
  /**
   * Moves the clock to `atMs`. Before that, it stops the clock at the due time of each piece of work that becomes due
   * earlier, and does the work.
   */
  moveTo(atMs: UnixMs): Promise<void>;
}

export function createTimeMachine(options: {
  readonly clock: SandboxClock;
  readonly due: Pick<DueWork, "nextDueMs" | "runDue">;
  readonly actions: Pick<ActionDesk, "announced">;
  /** Carries out the corporate actions whose moment has come. */
  readonly carryOutActions: () => Promise<unknown>;
  readonly nonces: Pick<NonceMerger, "tick">;
  readonly market: { sweep(): Promise<void>; whenSettled(): Promise<void> };
  readonly webhooks: Pick<WebhookLanes, "waitUntilSettled" | "nextRetryMs">;
  /** Is called before any work at the new time, so that a restart never begins at an earlier time. */
  readonly saveClock: (atMs: UnixMs) => Promise<void>;
}): TimeMachine {
  const { clock, due, market, webhooks } = options;
  const stopAt = async (atMs: UnixMs) => {
    await options.saveClock(atMs);
    if (atMs > clock.now()) clock.moveTo(atMs);
    // Corporate actions come first, because they look up all their accounts with one statement. Due work would look up
    // the same accounts one by one.
    await options.carryOutActions();
    await due.runDue();
    await market.sweep();
    await market.whenSettled();
    await webhooks.waitUntilSettled();
  };
  /** The next time of due work, of a corporate action or of a webhook attempt; null when there is none. */
  const nextStopMs = async (): Promise<UnixMs | null> => {
    const moments = options.actions.announced.map(({ atMs }) => atMs);
    const times = [
      await due.nextDueMs(clock.now()),
      await webhooks.nextRetryMs(),
      ...moments.filter((atMs) => atMs > clock.now()),
    ];
    const known = times.filter((one) => one !== null);
    return known.length === 0 ? null : unixMs(Math.min(...known));
  };
  const turns = createSerialQueue();
  const move = async (atMs: UnixMs) => {
    // The first work is what a killed process has not done, or what has become due while the clock ran by itself.
    await stopAt(clock.now());
    // The next due time is read after each stop, because a stop may schedule work that is due earlier. Work that waits
    // for a price stays due in the past, where the clock does not stop again.
    for (;;) {
      const dueMs = await nextStopMs();
      if (dueMs === null || dueMs >= atMs) break;
      await stopAt(dueMs);
    }
    await stopAt(atMs);
    await options.nonces.tick();
  };
  return { moveTo: (atMs) => turns.run(() => move(atMs)) };
}
