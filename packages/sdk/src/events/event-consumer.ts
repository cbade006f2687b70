import type { Client } from "../client.ts";
import type { AccountEvent } from "../described/events.ts";
import type { EventStreamOptions } from "./event-stream.ts";

export interface EventConsumerOptions {
  /** The cursor that `save` got last; null at first. */
  readonly load: () => Promise<string | null> | string | null;
  /** Acts on one event. The next one comes when it has resolved. */
  readonly handle: (event: AccountEvent) => Promise<void> | void;
  /**
   * Stores the cursor of the handled event. Absent when `handle` stores `event.cursor` itself, in one transaction with
   * its effect: then each event has its effect exactly once.
   */
  readonly save?: (cursor: string) => Promise<void> | void;
}

export interface EventConsumer {
  /**
   * Handles the events after the stored cursor, one at a time, until the signal aborts or the account is closed; with
   * `until: "head"` until the newest event. Throws what `handle` throws, HistoryDiffersError when the past is another
   * one than the cursor's, and RejectedError when the key is no longer allowed.
   */
  run(
    client: Pick<Client, "events">,
    options?: Pick<EventStreamOptions, "signal" | "until">,
  ): Promise<void>;
}

/** Acts on each event of an account once, across crashes and lost connections. @rule D9.consumer decides */
export function createEventConsumer({ load, handle, save }: EventConsumerOptions): EventConsumer {
  return {
    async run(client, options = {}) {
      const after = await load();
      for await (const event of client.events({ after: after ?? 0 }, options)) {
        await handle(event);
        await save?.(event.cursor);
      }
    },
  };
}
