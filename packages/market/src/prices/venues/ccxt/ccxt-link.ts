import type { Timer } from "@propgate/base";
import type { Link, LinkReports, OpenLink } from "../link.ts";
import type { Exchange } from "./ccxt-library.ts";
import { endClient, tapClient, type VenueMessage } from "./client-tap.ts";
import { memberOf } from "./member-of.ts";
import { isNamed, type RejectedSymbols } from "./rejected-symbols.ts";
import type { WatchPlan } from "./venue-overrides.ts";

type Client = ReturnType<Exchange["client"]>;

export interface CcxtLinkOptions {
  /** Makes a new exchange. All its requests end when the signal aborts. */
  readonly open: (signal: AbortSignal) => Exchange;
  /** Loads the venue's markets into the exchange, and returns the symbols to watch. */
  readonly prepare: (exchange: Exchange, signal: AbortSignal) => Promise<readonly string[]>;
  readonly plan: WatchPlan;
  readonly rejected: RejectedSymbols;
  readonly timer: Timer;
}

/**
 * How long rejections are collected before the connection ends. The venue rejects several symbols one by one, and one
 * new connection serves them all.
 */
const REJECTIONS_MS = 1_000;
/** How often a connection looks for rejected symbols that may be tried again. */
const RETRY_CHECK_MS = 60_000;

/** A socket without any message for this long ends the link, even while other sockets of the link receive messages. */
const SOCKET_SILENT_MS = 60_000;

/**
 * Links to a venue through ccxt. Each link has a ccxt exchange of its own, so data that ccxt kept from one connection,
 * such as a bid, never mixes with data of the next.
 */
export function createCcxtLink(options: CcxtLinkOptions): OpenLink<VenueMessage> {
  return (reports) => {
    const ending = new AbortController();
    const clients = new Map<Client, SocketActivity>();
    void runLink(options, { reports, clients, signal: ending.signal, unheard: new Map() });
    let cancelCheck = options.timer.after(SOCKET_SILENT_MS, check);

    function check(): void {
      const hearings = [...clients.values()];
      if (hearings.some(({ isNew, hasHeard }) => !isNew && !hasHeard)) {
        reports.ended("one of the sockets is silent");
        return;
      }
      for (const hearing of hearings) Object.assign(hearing, { isNew: false, hasHeard: false });
      cancelCheck = options.timer.after(SOCKET_SILENT_MS, check);
    }

    return {
      send() {},
      async close() {
        ending.abort();
        cancelCheck();
        await Promise.all([...clients.keys()].map(endClient));
      },
    } satisfies Link;
  };
}

/** Whether a socket is new since the last check, and whether it has received anything since then. */
interface SocketActivity {
  isNew: boolean;
  hasHeard: boolean;
}

interface Running {
  readonly reports: LinkReports<VenueMessage>;
  readonly clients: Map<Client, SocketActivity>;
  readonly signal: AbortSignal;
  /** The symbols without a price on this connection so far, each with the names of its market. */
  readonly unheard: Map<string, readonly string[]>;
}

/** Subscribes to all symbols. Prices and failures then come through the taps. */
async function runLink(options: CcxtLinkOptions, running: Running): Promise<void> {
  const { reports, signal } = running;
  let onRejection = (_reason: string): boolean => false;
  const failed = (error: unknown): void => {
    if (signal.aborted) return;
    const reason = reasonOf(error);
    if (!onRejection(reason)) reports.ended(reason);
  };
  try {
    const exchange = options.open(signal);
    // Addresses without TLS, such as those of a local proxy, need Node's plain agent, which this call loads.
    await exchange.loadHttpProxyAgent();
    const listed = await options.prepare(exchange, signal);
    if (signal.aborted) return;
    const symbols = options.rejected.allowedSymbols(listed);
    onRejection = createRejectionHandler(options, { running, exchange, listed, failed });
    reports.opened();
    tapExchange(exchange, options, { running, failed });
    for (const call of watchCalls(exchange, options.plan, symbols)) call().catch(failed);
  } catch (error) {
    failed(error);
  }
}

/**
 * Makes a function that handles an error of the venue. It returns true when the error rejects exactly one symbol that
 * has had no price yet. The connection then ends, and the next one leaves the symbol out, because some venues reject a
 * whole request for one symbol. Every hour the symbol is tried alone, and another rejection of it does not end the
 * connection.
 */
function createRejectionHandler(
  { rejected, plan, timer }: CcxtLinkOptions,
  of: {
    readonly running: Running;
    readonly exchange: Exchange;
    readonly listed: readonly string[];
    readonly failed: (error: unknown) => void;
  },
): (reason: string) => boolean {
  const { running, exchange, listed, failed } = of;
  const { clients, signal, unheard } = running;
  const tried = new Set<string>();
  let isEnding = false;
  for (const symbol of listed) unheard.set(symbol, namesOf(exchange, symbol));

  function retry(): void {
    if (signal.aborted) return;
    for (const symbol of rejected.allowedSymbols(leftOut).filter((one) => unheard.has(one))) {
      tried.add(symbol);
      rejected.recordTrial(symbol);
      for (const { subscriptions } of clients.keys()) {
        forget(subscriptions, namesOf(exchange, symbol));
      }
      watch(exchange, plan, [symbol]).catch(failed);
    }
    timer.after(RETRY_CHECK_MS, retry);
  }

  const watched = rejected.allowedSymbols(listed);
  const leftOut = listed.filter((symbol) => !watched.includes(symbol));
  if (leftOut.length > 0) timer.after(RETRY_CHECK_MS, retry);
  return (reason) => {
    const symbol = rejected.leaveOut(reason, unheard, listed);
    if (symbol === null) return false;
    if (isEnding || tried.has(symbol)) return true;
    isEnding = true;
    timer.after(REJECTIONS_MS, () => {
      if (signal.aborted) return;
      rejected.report(reason);
      running.reports.ended(reason);
    });
    return true;
  };
}

/** Removes the subscriptions with these names. ccxt does not send a subscription again that it has sent before. */
function forget(subscriptions: object, names: readonly string[]): void {
  for (const hash of Object.keys(subscriptions)) {
    if (names.some((name) => isNamed(hash, name))) Reflect.deleteProperty(subscriptions, hash);
  }
}

/** The names of a symbol's market: ccxt's symbol, and the names that the venue uses. */
function namesOf(exchange: Exchange, symbol: string): readonly string[] {
  const market: unknown = exchange.market(symbol);
  const own = [memberOf(market, "id"), memberOf(memberOf(market, "info"), "wsname")];
  return [symbol, ...own.filter((name) => typeof name === "string")];
}

/** Reports every message, failure and close of the exchange's sockets to the link. */
function tapExchange(
  exchange: Exchange,
  { plan, rejected }: CcxtLinkOptions,
  { running, failed }: { running: Running; failed: (error: unknown) => void },
): void {
  const { clients, reports, signal, unheard } = running;
  const client = exchange.client.bind(exchange);
  exchange.client = (url) => {
    if (signal.aborted) throw new Error("stopped");
    const made = client(url);
    if (clients.has(made)) return made;
    const hearing: SocketActivity = { isNew: true, hasHeard: false };
    clients.set(made, hearing);
    tapClient(made, plan.sequence(), {
      message(message, bytes) {
        hearing.hasHeard = true;
        for (const { symbol } of message.tops) {
          if (unheard.delete(symbol)) rejected.recordPrice(symbol);
        }
        if (!signal.aborted) reports.message(message, bytes);
      },
      alive() {
        hearing.hasHeard = true;
        reports.alive();
      },
      failed,
    });
    return made;
  };
  const onError = exchange.onError.bind(exchange);
  exchange.onError = (from, error) => {
    failed(error);
    onError(from, error);
  };
  const onClose = exchange.onClose.bind(exchange);
  exchange.onClose = (from, event) => {
    failed(new Error("closed by the venue"));
    onClose(from, event);
  };
}

/** One call of the watch method for each group of symbols that share a connection and fit into one request. */
function watchCalls(
  exchange: Exchange,
  plan: WatchPlan,
  symbols: readonly string[],
): readonly (() => Promise<unknown>)[] {
  const kinds = new Map<string, string[]>();
  for (const symbol of symbols) {
    const kind = kindOf(exchange, symbol);
    kinds.set(kind, [...(kinds.get(kind) ?? []), symbol]);
  }
  const groups = [...kinds.values()].flatMap((kind) => chunks(kind, plan.perCall));
  return groups.map((group) => () => watch(exchange, plan, group));
}

async function watch(exchange: Exchange, plan: WatchPlan, group: string[]): Promise<unknown> {
  const [first = ""] = group;
  switch (plan.method) {
    case "watchBidsAsks":
      return await exchange.watchBidsAsks(group);
    case "watchOrderBookForSymbols":
      return await exchange.watchOrderBookForSymbols(group, plan.limit);
    case "watchOrderBook":
      return await exchange.watchOrderBook(first, plan.limit);
    case "watchTickers":
      return await exchange.watchTickers(group);
    case "watchTicker":
      return await exchange.watchTicker(first);
  }
}

/** The kind of a symbol's market. At some venues spot and each kind of contract have their own addresses. */
function kindOf(exchange: Exchange, symbol: string): string {
  const { type, linear } = exchange.market(symbol);
  return `${type} ${String(linear)}`;
}

function chunks(list: readonly string[], size: number): string[][] {
  const groups: string[][] = [];
  for (let at = 0; at < list.length; at += size) groups.push(list.slice(at, at + size));
  return groups;
}

const REASON_CHARS_MAX = 200;

/** The reason of an error as one short line. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, " ").slice(0, REASON_CHARS_MAX);
}
