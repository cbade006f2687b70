import { CannotStart, type Log } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type { Connection } from "../connection.ts";
import type { ConnectionHealth, LiveSource } from "../live-source.ts";
import type { QuoteOutlet } from "./quote-outlet.ts";

/** One of a source's connections. Some venues require a connection for each market. */
export interface MarketConnection {
  /** A name such as `forex`, with which the reason begins when this connection is down. */
  readonly market: string;
  /** The pairs whose quotes come over this connection. */
  readonly pairs: ReadonlySet<PairId>;
  readonly connection: Connection;
}

/**
 * Makes a source with one or more connections. The source is up when all of them are. The health of a pair is that of
 * its own connection.
 * @throws CannotStart when there is no connection, because no instrument has a symbol
 */
export function createKeyedSource(options: {
  readonly name: string;
  readonly pairs: readonly PairId[];
  readonly outlet: QuoteOutlet;
  readonly connections: readonly MarketConnection[];
}): LiveSource {
  const { name, pairs, outlet, connections } = options;
  if (connections.length === 0) {
    throw new CannotStart(`no instrument has a symbol at ${name}`, {
      fix: "Name it in PROPGATE_PRICES for classes or pairs that it has, such as forex=oanda.",
    });
  }
  return {
    name,
    pairs,
    async start(sink) {
      outlet.attach(sink);
      for (const { connection } of connections) connection.start();
    },
    async stop() {
      await Promise.all(connections.map(({ connection }) => connection.stop()));
      outlet.attach(null);
    },
    health(pair) {
      const own = connections.find(({ pairs: served }) => pair !== undefined && served.has(pair));
      return own?.connection.health() ?? joinedHealth(connections);
    },
  };
}

function joinedHealth(connections: readonly MarketConnection[]): ConnectionHealth {
  const all = connections.map(({ market, connection }) => ({ market, ...connection.health() }));
  const [first] = all;
  if (first !== undefined && all.length === 1) {
    const { state, reason, reconnects, unreadable } = first;
    return { state, reason, reconnects, unreadable };
  }
  const isDown = all.some(({ state }) => state === "down");
  const isUp = all.every(({ state }) => state === "up");
  const reasons = all.filter(({ reason }) => reason !== null);
  return {
    state: isDown ? "down" : isUp ? "up" : "connecting",
    reason: isUp
      ? null
      : reasons.map(({ market, reason }) => `${market}: ${reason}`).join("; ") || null,
    reconnects: all.reduce((sum, { reconnects }) => sum + reconnects, 0),
    unreadable: all.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
}

/** Makes a source that cannot run. It is down, its health has the reason, and its start writes one line to the log. */
export function createUnavailableSource(options: {
  readonly name: string;
  readonly pairs: readonly PairId[];
  readonly reason: string;
  readonly log: Log;
}): LiveSource {
  const { name, pairs, reason, log } = options;
  return {
    name,
    pairs,
    async start() {
      log.error({ source: name, reason }, "price source is down");
    },
    async stop() {},
    health: () => ({ state: "down", reason, reconnects: 0, unreadable: 0 }),
  };
}

/** A sentence that names the environment variables without a value. */
export function missingSettings(values: Readonly<Record<string, string | null>>): string {
  const missing = Object.keys(values).filter((variable) => values[variable] === null);
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set`;
}
