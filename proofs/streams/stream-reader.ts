import { randomInt } from "node:crypto";
import {
  type AccountEvent,
  type Client,
  createClient,
  createEventConsumer,
  DEFAULT_RETRY,
  PropgateError,
  RejectedError,
} from "@propgate/sdk";
import type { Trader } from "../kills/kill-under-load.ts";

/** The kinds of readers of events. The consumer sometimes fails while it handles an event. */
export const READER_KINDS = [
  "stream",
  "stream with quotes",
  "stream of one type",
  "consumer",
  "long poll",
] as const;
export type ReaderKind = (typeof READER_KINDS)[number];

/** The only type of events of the kind `stream of one type`. */
const ONE_TYPE = "order.cancelled";
/** The consumer fails while it handles one of this many events. */
const CRASH_ONE_IN = 25;
const POLL_WAIT_S = 5;
/** The waits between two attempts of a stream; longer ones only when the service names them. */
const STREAM_WAITS = { firstWaitMs: 10, longestWaitMs: 500 };
/** The waits between two attempts of a read. A read whose budget is used up waits for the next minute. */
const POLL_WAITS = { firstWaitMs: 10, longestWaitMs: 60_000 };

/** Collects the events of one account with one kind of reader, across lost connections. */
export class StreamReader {
  readonly key: Trader;
  readonly kind: ReaderKind;
  readonly events: AccountEvent[] = [];
  readonly #client: Client;
  readonly #stop = new AbortController();
  #cursor: string | null = null;
  #crashes = 0;
  #failure: string | null = null;

  constructor(key: Trader, kind: ReaderKind, baseUrl: string) {
    this.key = key;
    this.kind = kind;
    this.#client = createClient({
      ...key,
      baseUrl,
      retry: { ...DEFAULT_RETRY, ...(kind === "long poll" ? POLL_WAITS : STREAM_WAITS) },
    });
  }

  get name(): string {
    return `${this.kind} of ${this.key.accountId}`;
  }

  get lastSequence(): number {
    return this.events.at(-1)?.sequence ?? 0;
  }

  get crashes(): number {
    return this.#crashes;
  }

  /** The error that ended the reader; null while it reads, and when it was stopped. */
  get failure(): string | null {
    return this.#failure;
  }

  matches({ type }: AccountEvent): boolean {
    return this.kind !== "stream of one type" || type === ONE_TYPE;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Reads events. Resolves when the reader was stopped or has failed. */
  async run(): Promise<void> {
    try {
      if (this.kind === "long poll") await this.#poll();
      else if (this.kind === "consumer") await this.#consume();
      else for await (const event of this.#stream()) this.events.push(event);
    } catch (cause) {
      if (!this.#stop.signal.aborted) this.#failure = String(cause);
    }
  }

  #stream(): AsyncIterable<AccountEvent> {
    const query = {
      ...(this.kind === "stream with quotes" ? { quotes: ["BTCUSD", "EURUSD"], every: 0.25 } : {}),
      ...(this.kind === "stream of one type" ? { types: [ONE_TYPE] as const } : {}),
    };
    return this.#client.events(query, { signal: this.#stop.signal });
  }

  async #consume(): Promise<void> {
    const consumer = createEventConsumer({
      load: () => this.#cursor,
      // Stores the effect and its cursor together, as in one transaction.
      handle: (event) => {
        if (randomInt(CRASH_ONE_IN) === 0) throw new Crash();
        this.events.push(event);
        this.#cursor = event.cursor;
      },
    });
    while (!this.#stop.signal.aborted) {
      try {
        await consumer.run(this.#client, { signal: this.#stop.signal });
      } catch (cause) {
        if (!(cause instanceof Crash)) throw cause;
        this.#crashes += 1;
      }
    }
  }

  async #poll(): Promise<void> {
    let after: string | number = 0;
    while (!this.#stop.signal.aborted) {
      try {
        const { items, next } = await this.#client.eventsPage(
          { after, wait: POLL_WAIT_S },
          { signal: this.#stop.signal },
        );
        this.events.push(...items);
        after = next;
      } catch (cause) {
        if (!isTemporary(cause)) throw cause;
      }
    }
  }
}

class Crash extends Error {}

function isTemporary(cause: unknown): boolean {
  return cause instanceof RejectedError ? cause.isTemporary : cause instanceof PropgateError;
}
