import type { Clock, Timer } from "@propgate/base";
import type { Instruments, QuoteMap } from "@propgate/core";
import type { EventDesk, LineRef } from "@propgate/ledger";
import type { EventStreams, ExpensiveReads, StreamRequest } from "@propgate/wire";
import { streamEventFrames } from "./event-stream.ts";
import { createQuoteChanges } from "./quote-changes.ts";
import { createStreamAlarms } from "./stream-alarms.ts";
import type { ReleaseSlot, StreamSlots } from "./stream-slots.ts";

export interface EventStreamsOptions {
  readonly events: Pick<EventDesk, "locate" | "page" | "follow">;
  readonly reads: Pick<ExpensiveReads, "beginInStream">;
  readonly slots: StreamSlots;
  readonly quotes: QuoteMap;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly onFault: (cause: unknown) => void;
}

/** Opens the event streams of keys. Each stream takes its slots and has its alarms. @rule D9.stream D9.streamPlaces */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { events, slots } = options;
  return {
    async open(request) {
      const located = await events.locate(request.accountId, request.after);
      if (!located.ok) return located;
      const leave = slots.takeForKey(request);
      if (leave === null) return { ok: false, problem: { kind: "full" } };
      // A request without event types has no events to catch up with, so it begins at the head.
      const from = request.types?.size === 0 ? located.head : located.place;
      return { ok: true, frames: openFrames(options, { request, from, leave }) };
    },
  };
}

/** The frames of a stream. Its slots are released when the stream ends, also when the client never read a frame. */
function openFrames(
  options: EventStreamsOptions,
  stream: {
    readonly request: StreamRequest;
    readonly from: LineRef;
    readonly leave: ReleaseSlot;
  },
): AsyncIterable<Uint8Array> {
  const { request, from, leave } = stream;
  const alarms = createStreamAlarms({ ...options, request });
  const changedQuotes = createQuoteChanges(options, request.pairs);
  const release = (): void => {
    alarms.stop();
    leave();
  };
  // This listener is registered after the one of the alarms. So the alarms' listener runs first and wakes the stream,
  // which sends its end.
  const stopListening = request.untilOver(release);
  async function* frames(): AsyncGenerator<Uint8Array> {
    try {
      yield* streamEventFrames({ ...options, request, from, alarms, changedQuotes });
    } catch (cause) {
      options.onFault(cause);
      throw cause;
    } finally {
      stopListening();
      release();
    }
  }
  return frames();
}
