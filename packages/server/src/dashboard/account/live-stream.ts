import { type AccountStateView, BEAT_EVENT, LIVE_EVENT } from "@propgate/contract";

/** One reader's events. The newest state replaces one that the reader has not taken yet. */
export interface LiveStream {
  /** What the reader was sent last; states that read the same are not sent again. */
  offer(view: AccountStateView, figures: string): void;
  /** Keeps proxies and browsers from taking a quiet stream for a dead one. */
  beat(): void;
  /** The reader gets what waits and then the end. */
  end(): void;
  /** False until somebody has begun to read. */
  isRead(): boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A page that lost its stream is back after this. */
const RETRY = "retry: 2000\n\n";
const BEAT = `event: ${BEAT_EVENT}\ndata: here\n\n`;

/**
 * Events of one reader as bytes. The iterator is written by hand: a generator's `return` would wait
 * for the next event, and a reader that has gone away must be let go of at once.
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
  const look = (): void => {
    const waked = wake;
    wake = null;
    waked?.();
  };
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd();
    look();
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
      state = `event: ${LIVE_EVENT}\nid: ${id}\ndata: ${JSON.stringify(view)}\n\n`;
      look();
    },
    beat() {
      if (isEnded) return;
      waiting = waiting === "" ? BEAT : waiting;
      look();
    },
    end,
    isRead: () => isBegun,
    bytes: { [Symbol.asyncIterator]: () => iterator },
  };
}

const END: IteratorResult<Uint8Array> = { done: true, value: undefined };
