import { CannotStart, type Clock, type ListenAddress, type Log, type Timer } from "@propgate/base";
import type { ConnectionHealth, LiveSink, LiveSource } from "../live-source.ts";
import { createPushAccess } from "./push-access.ts";
import { createPushIntake } from "./push-intake.ts";
import { openPushListener, type PushListener } from "./push-listener.ts";
import type { PushablePairs } from "./pushed-quote.ts";

const PUSH_SOURCE = "push";
/** The address of the listener when no setting names another. */
export const PUSH_LISTEN: ListenAddress = { host: "127.0.0.1", port: 8_790 };

/** The source of the firm's own prices, which the firm's programs push to a listener of this process. */
export interface PushSource extends LiveSource {
  /** The address to which quotes are pushed; null while the listener is closed. */
  origin(): string | null;
}

export interface PushSourceOptions {
  readonly listen: ListenAddress;
  /**
   * The secret of the clients; null when none is configured. The source then stays down, and its health has the reason.
   */
  readonly token: string | null;
  /** The word of the brand in the names of the signing headers. */
  readonly brand: string;
  readonly pairs: PushablePairs;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
  /** Addresses and blocks whose connections do not count against the maximum of their network. */
  readonly exempt: readonly string[];
}

const TOKEN_MISSING = "PROPGATE_PUSH_TOKEN is not set";
/** The time without a quote after which the source is down. */
const QUIET_MS_MAX = 30_000;
const CHECKED_EVERY_MS = 5_000;
const REJECTIONS_LOGGED_EVERY_MS = 60_000;

/**
 * Creates the source of pushed prices.
 * @throws CannotStart from `start` when the address cannot be used, as for every listener of the service
 */
export function createPushSource(options: PushSourceOptions): PushSource {
  const { listen, token, log } = options;
  const watch = watchQuotes(options);
  const rejections = countRejections(options);
  let listener: PushListener | null = null;
  let isStopped = false;

  async function open(secret: string, sink: LiveSink): Promise<void> {
    const intake = createPushIntake({
      source: PUSH_SOURCE,
      pairs: options.pairs,
      clock: options.clock,
      sink: {
        offer(quote) {
          watch.heard();
          sink.offer(quote);
        },
      },
    });
    listener = await openPushListener({
      listen,
      exempt: options.exempt,
      timer: options.timer,
      access: createPushAccess({ ...options, token: secret }),
      intake: {
        read: (form, counts) =>
          intake.read(form, {
            take: () => counts.take(),
            reject(problem, line) {
              watch.rejected();
              counts.reject(problem, line);
            },
          }),
      },
      unauthorized: () => rejections.add(),
      failed: (cause) => log.error({ err: cause }, "pushed quotes could not be taken"),
    }).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const fix = "Choose another address with PROPGATE_PUSH_LISTEN.";
      throw new CannotStart(`the listener for pushed prices: ${reason}`, { fix, cause });
    });
  }

  return {
    name: PUSH_SOURCE,
    pairs: options.pairs.ids,
    origin: () => listener?.origin ?? null,
    async start(sink) {
      if (token === null) {
        log.error({ source: PUSH_SOURCE, reason: TOKEN_MISSING }, "price source is down");
        return;
      }
      await open(token, sink);
      watch.start();
    },
    async stop() {
      isStopped = true;
      watch.stop();
      rejections.stop();
      await listener?.close();
      listener = null;
    },
    health(): ConnectionHealth {
      if (token === null)
        return { state: "down", reason: TOKEN_MISSING, reconnects: 0, unreadable: 0 };
      return isStopped ? { ...watch.health(), state: "down", reason: "stopped" } : watch.health();
    },
  };
}

/** Watches the state of the source: it is up while quotes arrive. Each change is one line in the log. */
function watchQuotes({ timer, log }: Pick<PushSourceOptions, "timer" | "log">) {
  let unreadable = 0;
  let state: ConnectionHealth["state"] = "connecting";
  let ups = 0;
  let quietMs = 0;
  let cancel = (): void => undefined;

  const up = (): void => {
    state = "up";
    ups += 1;
    log.info({ source: PUSH_SOURCE, reconnects: ups - 1 }, "price source is connected");
  };
  const look = (): void => {
    quietMs += CHECKED_EVERY_MS;
    if (state === "up" && quietMs > QUIET_MS_MAX) {
      state = "down";
      log.warn({ source: PUSH_SOURCE, reason: quietText() }, "price source is down");
    }
    cancel = timer.after(CHECKED_EVERY_MS, look);
  };
  const quietText = (): string => `no quotes for ${Math.round(quietMs / 1_000)} s`;
  return {
    rejected(): void {
      unreadable += 1;
    },
    heard(): void {
      quietMs = 0;
      if (state !== "up") up();
    },
    start(): void {
      cancel = timer.after(CHECKED_EVERY_MS, look);
    },
    stop(): void {
      cancel();
    },
    health(): ConnectionHealth {
      const reason = { up: null, connecting: "no quotes yet", down: quietText() }[state];
      return { state, reason, reconnects: Math.max(0, ups - 1), unreadable };
    },
  };
}

/** Logs the requests with a wrong token or signature: the first one immediately, then their number once a minute. */
function countRejections({ timer, log }: Pick<PushSourceOptions, "timer" | "log">) {
  let count = 0;
  let isWaiting = false;
  let cancel = (): void => undefined;
  const report = (): void => {
    if (count > 0) {
      const about = "requests with a wrong token or signature were rejected";
      log.warn({ source: PUSH_SOURCE, count }, about);
    }
    isWaiting = count > 0;
    count = 0;
    if (isWaiting) cancel = timer.after(REJECTIONS_LOGGED_EVERY_MS, report);
  };
  return {
    add(): void {
      count += 1;
      if (!isWaiting) report();
    },
    stop(): void {
      cancel();
    },
  };
}
