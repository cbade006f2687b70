import { wireJson } from "@propgate/base";
import { type AccountStateView, BEAT_EVENT, frameText, LIVE_EVENT } from "@propgate/contract";

/** The events of one client. A new state replaces one that the client has not received yet. */
export interface LiveStream {
  /** Sends a state, unless its figures equal those of the last state. */
  offer(view: AccountStateView, figures: string): void;
  /** Sends a sign of life, so that proxies and browsers do not close a quiet stream. */
  sendBeat(): void;
  /** Sends the pending events and ends the stream. */
  end(): void;
  /** False until the client begins to read. */
  isRead(): boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A page that lost its stream reconnects after two seconds. */
const RETRY = "retry: 2000\n\n";
const BEAT: string = frameText({ event: BEAT_EVENT, data: "here" });

/**
 * Makes a stream of bytes for one client. The iterator is written by hand, because the `return` of a generator would
 * wait for the next event, and a closed connection must be released immediately.
 */
export function createLiveStream(onEnd: () => void): LiveStream {
  let isEnded = false;
  let isBegun = false;
  let sent = "";
  let waiting = RETRY;
  let state = "";
  let wake: (() => void) | null = null;

  const take = (): IteratorResult<Uint8Array> | null => {
    const text = waiting + state;
    waiting = "";
    state = "";
    if (text !== "") return { done: false, value: Buffer.from(text, "utf8") };
    return isEnded ? END : null;
  };
  const wakeReader = (): void => {
    const waked = wake;
    wake = null;
    waked?.();
  };
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd();
    wakeReader();
  };
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      isBegun = true;
      for (;;) {
        const taken = take();
        if (taken !== null) return taken;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async return() {
      waiting = "";
      state = "";
      end();
      return END;
    },
  };
  return {
    offer(view, figures) {
      if (isEnded || figures === sent) return;
      sent = figures;
      const id = `${view.version}-${view.generatedAtMs}`;
      state = frameText({ id, event: LIVE_EVENT, data: wireJson(view) });
      wakeReader();
    },
    sendBeat() {
      if (isEnded) return;
      waiting = waiting === "" ? BEAT : waiting;
      wakeReader();
    },
    end,
    isRead: () => isBegun,
    bytes: { [Symbol.asyncIterator]: () => iterator },
  };
}

const END: IteratorResult<Uint8Array> = { done: true, value: undefined };
