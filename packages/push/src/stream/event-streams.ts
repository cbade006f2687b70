import type { Clock, Timer } from "@propgate/base";
import type { Instruments, QuoteMap } from "@propgate/core";
import type { EventDesk, LinePlace } from "@propgate/ledger";
import type { EventStreams, ExpensiveReads, StreamRequest } from "@propgate/wire";
import { eventStream } from "./event-stream.ts";
import { createQuoteChanges } from "./quote-changes.ts";
import { createStreamAlarms } from "./stream-alarms.ts";
import type { LeavePlace, StreamPlaces } from "./stream-places.ts";

export interface EventStreamsOptions {
  readonly events: Pick<EventDesk, "locate" | "page" | "follow">;
  readonly reads: Pick<ExpensiveReads, "beginInStream">;
  readonly places: StreamPlaces;
  readonly quotes: QuoteMap;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly onFault: (cause: unknown) => void;
}

/** @rule D9.stream D9.streamPlaces */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { events, places } = options;
  return {
    async open(request) {
      const located = await events.locate(request.accountId, request.after);
      if (!located.ok) return located;
      const leave = places.takeForKey(request);
      if (leave === null) return { ok: false, problem: { kind: "full" } };
      // Without any type there is nothing to catch up with.
      const from = request.types?.size === 0 ? located.head : located.place;
      return { ok: true, frames: framesFrom(options, { request, from, leave }) };
    },
  };
}

/** Gives the place back when the stream ends, also when nothing of it was sent. */
function framesFrom(
  options: EventStreamsOptions,
  stream: {
    readonly request: StreamRequest;
    readonly from: LinePlace;
    readonly leave: LeavePlace;
  },
): AsyncIterable<Uint8Array> {
  const { request, from, leave } = stream;
  const alarms = createStreamAlarms({ ...options, request });
  const changedQuotes = createQuoteChanges(options, request.pairs);
  const release = (): void => {
    alarms.stop();
    leave();
  };
  // After the alarms, which wake the stream so that it can send its end.
  const stopListening = request.untilOver(release);
  async function* frames(): AsyncGenerator<Uint8Array> {
    try {
      yield* eventStream({ ...options, request, from, alarms, changedQuotes });
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
