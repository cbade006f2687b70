import type { Clock } from "@propgate/base";
import { type PairId, price, unixMs } from "@propgate/core";
import { type Connection, type ConnectionDependencies, createConnection } from "../connection.ts";
import type { LiveSink, LiveSource } from "../live-source.ts";
import type { BookTop } from "./book-tops.ts";
import type { Exchange, ExchangeClass } from "./ccxt-library.ts";
import { createCcxtLink } from "./ccxt-link.ts";
import type { VenueMessage } from "./client-tap.ts";
import { memberOf } from "./member-of.ts";
import { openExchange } from "./open-exchange.ts";
import { createRejectedSymbols } from "./rejected-symbols.ts";
import type { WatchPlan } from "./venue-overrides.ts";

export interface CcxtSourceOptions {
  /** The venue's id in ccxt, which is also the name of the source. */
  readonly venue: string;
  readonly make: ExchangeClass;
  readonly plan: WatchPlan;
  /** ccxt's symbol of each pair. */
  readonly symbols: ReadonlyMap<PairId, string>;
  /** The origin that replaces the venue's own in all addresses; null keeps the venue's own. */
  readonly origin: string | null;
  readonly around: ConnectionDependencies & { readonly clock: Clock };
}

/** Markets that were loaded longer ago are loaded again at the next connection. */
const MARKETS_MAX_AGE_MS = 3_600_000;

/**
 * The limits of a crypto venue. Crypto trades around the clock, so a minute without any price is a failure. Loading the
 * markets takes seconds of `connectMs`. More than 20,000 messages a second would leave no processor time for orders.
 */
const LIMITS = {
  connectMs: 45_000,
  silentMs: 45_000,
  withoutDataMs: 60_000,
  messagesPerSecondMax: 20_000,
};

/** Makes a source of prices from a crypto venue through ccxt Pro. */
export function createCcxtSource(options: CcxtSourceOptions): LiveSource {
  const { venue, symbols, around } = options;
  const pairsOf = pairsBySymbol(symbols);
  let sink: LiveSink | null = null;

  function offer({ symbol, bid, ask, madeAtMs }: BookTop): void {
    for (const pair of pairsOf.get(symbol) ?? []) {
      sink?.offer({
        source: venue,
        pair,
        bid: price(bid),
        ask: price(ask),
        madeAtMs: madeAtMs === null ? null : unixMs(madeAtMs),
        receivedAtMs: around.clock.now(),
      });
    }
  }

  const rejected = createRejectedSymbols(around.clock, (left, reason) =>
    around.log.warn(
      { source: venue, symbols: left.join(", "), reason },
      "venue rejects these symbols; they are tried again every hour",
    ),
  );
  const connection: Connection = createConnection<VenueMessage>({
    name: venue,
    open: createCcxtLink({
      open: (signal) => openExchange({ ...options, symbols: [...pairsOf.keys()], signal }),
      prepare: createMarketsLoader(options, [...pairsOf.keys()]),
      plan: options.plan,
      rejected,
      timer: around.timer,
    }),
    opened() {},
    read({ tops, isReadable }) {
      if (!isReadable) return "unreadable";
      for (const top of tops) offer(top);
      return tops.length > 0 ? "data" : "life";
    },
    // Each link has an exchange of its own, so no price outlives its connection.
    ended() {},
    limits: LIMITS,
    around,
  });
  return {
    name: venue,
    pairs: [...symbols.keys()],
    async start(to) {
      sink = to;
      connection.start();
    },
    async stop() {
      await connection.stop();
      sink = null;
    },
    health: () => connection.health(),
  };
}

function pairsBySymbol(symbols: ReadonlyMap<PairId, string>): ReadonlyMap<string, PairId[]> {
  const pairs = new Map<string, PairId[]>();
  for (const [pair, symbol] of symbols) pairs.set(symbol, [...(pairs.get(symbol) ?? []), pair]);
  return pairs;
}

/**
 * Makes a function that loads the venue's markets into an exchange and returns the symbols that it lists. The markets
 * are read from the venue at the first connection and then at most once an hour. Symbols that the venue does not list,
 * or lists as inactive, are named in one warning, because their subscription would be rejected.
 */
function createMarketsLoader(
  { venue, around }: CcxtSourceOptions,
  symbols: readonly string[],
): (exchange: Exchange) => Promise<readonly string[]> {
  let loaded: { readonly exchange: Exchange; readonly atMs: number } | null = null;
  let warned = "";

  function warn(missing: readonly string[]): void {
    const names = missing.join(", ");
    if (names === warned) return;
    warned = names;
    if (names !== "")
      around.log.warn(
        { source: venue, symbols: names },
        "venue does not list these symbols, or as inactive",
      );
  }

  return async (exchange) => {
    const nowMs = around.clock.now();
    if (loaded !== null && nowMs - loaded.atMs < MARKETS_MAX_AGE_MS) {
      exchange.setMarketsFromExchange(loaded.exchange);
    } else {
      await exchange.loadMarkets();
      loaded = { exchange, atMs: nowMs };
    }
    const known = symbols.filter((symbol) => isListed(exchange, symbol));
    warn(symbols.filter((symbol) => !known.includes(symbol)));
    if (known.length === 0) throw new Error("venue has none of the markets");
    return known;
  };
}

/** Whether the exchange's loaded markets have the symbol as an active one. */
export function isListed({ markets = {} }: Exchange, symbol: string): boolean {
  const market: unknown = Object.hasOwn(markets, symbol) ? markets[symbol] : undefined;
  return market !== undefined && memberOf(market, "active") !== false;
}
