import { type Chance, createBackOff, type Log, type Timer } from "@propgate/base";
import type { Link, OpenLink } from "./link.ts";
import type { ConnectionHealth } from "./live-source.ts";

/** The timers, random numbers and log of a connection. */
export interface ConnectionDependencies {
  readonly timer: Timer;
  readonly chance: Chance;
  readonly log: Log;
}

/**
 * The kind of a message. `data` has prices. `life` is another valid message, such as a heartbeat or a confirmed
 * subscription. `greeting` comes before the venue has accepted the client, so it does not count as success.
 * `unreadable` is a message that cannot be understood; it is no sign of life.
 */
export type MessageKind = "data" | "life" | "greeting" | "unreadable";

/** The open connection, as the reader of its messages can use it. */
export interface Channel {
  send(text: string): void;
  /** Cuts the connection, for example after a rejected subscription. It is retried later. */
  fail(reason: string): void;
}

/** The limits at which a connection counts as failed, and the waits before it is tried again. */
export interface ConnectionLimits {
  /** The maximum time from the start of an attempt until the connection is up, in milliseconds. */
  readonly connectMs: number;
  /** A connection that is up has failed after this time without a readable message or a sign of life. */
  readonly silentMs: number;
  /**
   * A connection that is up has failed after this time without `data`, and a new one is up only at its first `data`.
   * Null for venues that send no data while their market is closed; then a connection is up at its first `data` or
   * `life`.
   */
  readonly withoutDataMs: number | null;
  /** The first and the longest wait before a retry. */
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
  /** A connection that was up for this long resets the wait before the next attempt to the first one. */
  readonly steadyMs: number;
  /** The connection is cut at more unreadable messages in a row than this. */
  readonly unreadableMax: number;
  /** The connection is cut when it receives more messages or bytes in a second than these. */
  readonly messagesPerSecondMax: number;
  readonly bytesPerSecondMax: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  connectMs: 15_000,
  silentMs: 20_000,
  withoutDataMs: null,
  firstRetryMs: 500,
  lastRetryMs: 30_000,
  steadyMs: 10_000,
  unreadableMax: 20,
  messagesPerSecondMax: 50_000,
  bytesPerSecondMax: 64 * 1024 * 1024,
};

export interface ConnectionOptions<Message> {
  /** The name of the source in health and log. */
  readonly name: string;
  readonly open: OpenLink<Message>;
  /** Called after each connect, to sign in and subscribe. */
  readonly opened: (channel: Channel) => void;
  /** Reads a message and returns its kind. An error that it throws makes the message unreadable. */
  readonly read: (message: Message, channel: Channel) => MessageKind;
  /** Called when an open connection has ended. Everything that was learned from it must be forgotten. */
  readonly ended: () => void;
  /** Calls `send` every `everyMs` while the link is open, for venues that expect a ping message of their own form. */
  readonly ping?: { readonly everyMs: number; readonly send: (channel: Channel) => void };
  readonly limits?: Partial<ConnectionLimits>;
  readonly around: ConnectionDependencies;
}

/** Keeps one connection to a venue: it connects, watches the connection, and retries. */
export interface Connection {
  /** Begins to connect, without waiting. */
  start(): void;
  /** Ends the connection for good. Resolves when its socket is released. It may be called at any moment. */
  stop(): Promise<void>;
  health(): ConnectionHealth;
}

/** The interval at which an attempt is checked for silence and floods. */
const TICK_MS = 1_000;

export function createConnection<Message>(options: ConnectionOptions<Message>): Connection {
  const { name, around } = options;
  const limits: ConnectionLimits = { ...CONNECTION_LIMITS, ...options.limits };
  const backOff = createBackOff(
    { firstMs: limits.firstRetryMs, maxMs: limits.lastRetryMs },
    around.chance,
  );
  let state: ConnectionHealth["state"] = "connecting";
  let reason: string | null = null;
  let ups = 0;
  let unreadable = 0;
  let isStopped = false;
  let attempt: Attempt | null = null;
  let cancelRetry = (): void => {};

  function begin(): void {
    attempt = beginAttempt({ ...options, limits }, { up, failed, unreadable: countUnreadable });
  }

  function countUnreadable(): void {
    unreadable += 1;
  }

  function up(): void {
    ups += 1;
    if (ups === 1) around.log.info({ source: name }, "price source is connected");
    else around.log.warn({ source: name, reconnects: ups - 1 }, "price source is connected again");
    state = "up";
    reason = null;
  }

  function failed(why: string, isSteady: boolean): void {
    if (state !== "down") around.log.warn({ source: name, reason: why }, "price source is down");
    state = "down";
    reason = why;
    if (isSteady) backOff.reset();
    cancelRetry = around.timer.after(backOff.nextMs(), begin);
  }

  return {
    start() {
      if (attempt === null && !isStopped) begin();
    },
    async stop() {
      isStopped = true;
      cancelRetry();
      state = "down";
      reason = "stopped";
      await attempt?.stop();
    },
    health: () => ({ state, reason, reconnects: Math.max(0, ups - 1), unreadable }),
  };
}

interface Attempt {
  stop(): Promise<void>;
}

interface AttemptReports {
  up(): void;
  /** The attempt has ended and its socket is released. `isSteady` is true when it was up for `steadyMs`. */
  failed(reason: string, isSteady: boolean): void;
  unreadable(): void;
}

/** Begins one attempt to connect. The attempt ends when it, or the connection that it makes, fails or is stopped. */
function beginAttempt<Message>(
  options: ConnectionOptions<Message> & { readonly limits: ConnectionLimits },
  reports: AttemptReports,
): Attempt {
  const { limits, around, ping } = options;
  const counts = createCounts(limits);
  let link: Link | null = null;
  let isOver = false;
  let isOpen = false;
  let isStopped = false;
  let released: Promise<void> = Promise.resolve();
  let cancelTick = (): void => {};
  let cancelPing = (): void => {};

  const channel: Channel = {
    send: (text) => {
      if (!isOver) link?.send(text);
    },
    fail,
  };

  function end(): void {
    isOver = true;
    cancelTick();
    cancelPing();
    released = link?.close() ?? Promise.resolve();
    if (isOpen) options.ended();
  }

  function fail(why: string): void {
    if (isOver) return;
    end();
    const isSteady = counts.isSteady();
    void released.then(() => {
      if (!isStopped) reports.failed(why, isSteady);
    });
  }

  function tick(): void {
    const failure = counts.tick(TICK_MS);
    if (failure !== null) fail(failure);
    else cancelTick = around.timer.after(TICK_MS, tick);
  }

  function opened(): void {
    if (isOver) return;
    isOpen = true;
    attemptTo(() => options.opened(channel));
    if (ping !== undefined) startPing(ping);
  }

  function startPing({ everyMs, send }: NonNullable<typeof ping>): void {
    if (isOver) return;
    cancelPing = around.timer.after(everyMs, () => {
      attemptTo(() => send(channel));
      startPing({ everyMs, send });
    });
  }

  function attemptTo(call: () => void): void {
    try {
      call();
    } catch (error) {
      fail(textOf(error));
    }
  }

  function message(content: Message, bytes: number): void {
    if (isOver) return;
    let kind: MessageKind;
    try {
      kind = options.read(content, channel);
    } catch {
      kind = "unreadable";
    }
    if (kind === "unreadable") reports.unreadable();
    if (isOver) return;
    const wasUp = counts.isUp();
    const failure = counts.message(kind, bytes);
    if (failure !== null) fail(failure);
    else if (!wasUp && counts.isUp()) reports.up();
  }

  cancelTick = around.timer.after(TICK_MS, tick);
  try {
    const made = options.open({
      opened,
      message,
      alive: () => counts.alive(),
      ended: fail,
    });
    link = made;
    // The link may have failed while it was made. Then `end` could not close it, so it is closed here.
    if (isOver) released = made.close();
  } catch (error) {
    fail(textOf(error));
  }
  return {
    async stop() {
      isStopped = true;
      if (!isOver) end();
      await released;
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Counts the messages of one connection against the limits. `message` and `tick` return a failure in words, or null.
 */
function createCounts(limits: ConnectionLimits) {
  let isUp = false;
  let upMs = 0;
  let startMs = 0;
  let silentMs = 0;
  let withoutDataMs = 0;
  let unreadableInRow = 0;
  let messagesThisTick = 0;
  let bytesThisTick = 0;
  return {
    isUp: () => isUp,
    isSteady: () => upMs >= limits.steadyMs,
    alive() {
      silentMs = 0;
    },
    message(kind: MessageKind, bytes: number): string | null {
      messagesThisTick += 1;
      bytesThisTick += bytes;
      if (
        messagesThisTick > limits.messagesPerSecondMax ||
        bytesThisTick > limits.bytesPerSecondMax
      ) {
        return "flood: more messages than the limit";
      }
      if (kind === "unreadable") {
        unreadableInRow += 1;
        return unreadableInRow > limits.unreadableMax ? "unreadable messages" : null;
      }
      // A venue that always has prices is up at its first price, so a rejected subscription does not count as success.
      if (kind === "data" || (kind === "life" && limits.withoutDataMs === null)) isUp = true;
      unreadableInRow = 0;
      silentMs = 0;
      if (kind === "data") withoutDataMs = 0;
      return null;
    },
    /** Counts ticks instead of reading the clock, so that a blocked process does not cut its healthy connections. */
    tick(ms: number): string | null {
      messagesThisTick = 0;
      bytesThisTick = 0;
      if (isUp) upMs += ms;
      startMs += ms;
      silentMs += ms;
      withoutDataMs += ms;
      if (!isUp) return startMs >= limits.connectMs ? "no answer" : null;
      if (silentMs >= limits.silentMs) return "silent";
      const isWithoutData = limits.withoutDataMs !== null && withoutDataMs >= limits.withoutDataMs;
      return isWithoutData ? "no prices" : null;
    },
  };
}
