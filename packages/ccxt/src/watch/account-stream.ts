import type { Linked } from "@propgate/contract";
import {
  type AccountEvent,
  type Client,
  createClient,
  HistoryDiffersError,
  InvalidSettingError,
  type QuoteItem,
  RejectedError,
} from "@propgate/sdk";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import { classifyFailure } from "../error-classes.ts";
import { refusedError } from "../orders/place.ts";
import { brandOf, checkAddress, checkCredentials } from "../signed-request.ts";

/** The content that the stream should have. */
export interface StreamContent {
  /** True when the stream should have the account's events. */
  readonly account: boolean;
  /** The pairs whose quotes the stream should have. */
  readonly pairs: readonly string[];
}

/** The exchange, and the functions that receive the content of the stream and name the cursor at which it begins. */
export interface AccountStreamOptions {
  readonly desk: ExchangeContext;
  /** The account's version in the newest answer or after the newest event; null when there was neither. */
  readonly lastSeen: () => string | null;
  /**
   * Called each time the stream begins to have the account's events, when the cursor of their beginning is known and
   * before the first of them.
   */
  readonly onBegin: () => Promise<void>;
  /** Called for each event of the service at this address, in order. The next event follows when it has resolved. */
  readonly onEvent: (event: AccountEvent<Linked>, address: string) => Promise<void>;
  readonly onQuote: (quote: QuoteItem) => void;
  /** Called when the stream has failed. The next `want` opens it again after the last event. */
  readonly onFailure: (error: Error) => void;
}

/** The one stream on which all watch methods of an exchange depend. */
export interface AccountStream {
  /**
   * Opens, changes or ends the stream. Resolves when the cursor at which the stream begins is known, or when the stream
   * has failed before that.
   */
  want(wanted: StreamContent): Promise<void>;
}

const NO_CONTENT: StreamContent = { account: false, pairs: [] };

/**
 * Creates the stream of an exchange. A key may have two streams, so an exchange has one for everything. When the pairs
 * change, a new connection continues after the last event. The SDK opens a lost connection again and checks that no
 * event is missing or repeated.
 */
export function createAccountStream(options: AccountStreamOptions): AccountStream {
  const { desk, lastSeen, onBegin, onEvent, onQuote, onFailure } = options;
  let content = NO_CONTENT;
  let controller: AbortController | null = null;
  /** The cursor of the last event; null while no events of the account are watched. */
  let cursor: string | null = null;
  let ended: Promise<void> = Promise.resolve();
  let begun: Promise<void> = Promise.resolve();

  const follow = async (
    { account, pairs }: StreamContent,
    { signal, onPlaced: onCursorKnown }: StreamRun,
  ): Promise<void> => {
    const client = clientOf(desk);
    const address = checkAddress(desk, "api");
    if (!account) cursor = null;
    // The stream begins at the version of the newest answer, so that no event is missing between a read or an order and
    // the first watch.
    const after = cursor ?? lastSeen() ?? (await headOf(client, signal));
    onCursorKnown();
    if (account && cursor === null) {
      await onBegin();
      cursor = after;
    }
    const query = {
      after,
      ...(account ? {} : { types: [] }),
      ...(pairs.length === 0 ? {} : { quotes: pairs, ...tickerIntervalOf(desk) }),
    };
    for await (const event of client.events(query, { signal, onQuote })) {
      await onEvent(event, address);
      cursor = event.cursor;
    }
  };
  const run = async (wanted: StreamContent, given: StreamRun): Promise<void> => {
    const { signal, onPlaced } = given;
    try {
      if (!signal.aborted) await follow(wanted, given);
      if (!signal.aborted) throw ccxtError(desk, "AccountSuspended", "the account is closed");
    } catch (error) {
      if (signal.aborted) return;
      // When the account's history has changed, for example because a backup was restored, the next stream begins
      // without the old cursor.
      if (error instanceof HistoryDiffersError) cursor = null;
      content = NO_CONTENT;
      onFailure(watchError(desk, error));
    } finally {
      onPlaced();
    }
  };
  return {
    async want(wanted) {
      if (isSame(wanted, content)) return begun;
      controller?.abort();
      controller = null;
      content = wanted;
      if (isSame(wanted, NO_CONTENT)) {
        // This waits for the event that is being handled, because that event sets `cursor` too.
        ended = ended.then(() => {
          cursor = null;
        });
        return;
      }
      controller = new AbortController();
      const { signal } = controller;
      begun = new Promise((placed) => {
        ended = ended.then(() => run(wanted, { signal, onPlaced: placed }));
      });
      return begun;
    },
  };
}

interface StreamRun {
  readonly signal: AbortSignal;
  /** Called when the cursor at which the stream begins is known, or when the stream has ended before that. */
  readonly onPlaced: () => void;
}

function isSame(one: StreamContent, other: StreamContent): boolean {
  return one.account === other.account && one.pairs.join() === other.pairs.join();
}

async function headOf(client: Client<Linked>, signal: AbortSignal): Promise<string> {
  const { head } = await client.eventsPage({ limit: 1 }, { signal });
  const CURSOR_DIGITS = 32;
  return head.sequence === 0 ? "0" : `${head.sequence}-${head.hash.slice(0, CURSOR_DIGITS)}`;
}

/** Settings of ccxt for proxies. The stream cannot use a proxy, so they are rejected. */
const PROXIES = ["proxyUrl", "httpProxy", "httpsProxy", "socksProxy"] as const;

function clientOf(desk: ExchangeContext): Client<Linked> {
  const { exchange } = desk;
  const proxy = PROXIES.find((name) => {
    const value: unknown = Reflect.get(exchange, name);
    return typeof value === "string" && value !== "";
  });
  if (proxy !== undefined) {
    throw ccxtError(desk, "NotSupported", `watch methods do not use ${proxy}`);
  }
  checkCredentials(desk);
  return createClient<Linked>({
    baseUrl: checkAddress(desk, "api"),
    keyId: exchange.apiKey,
    secret: exchange.secret,
    brand: brandOf(exchange.options),
    timeoutMs: exchange.timeout,
    now: () => exchange.nonce(),
  });
}

/** The query's `every` from `options.tickerSeconds`: the seconds in which each pair has at most one ticker. */
function tickerIntervalOf({ exchange }: ExchangeContext): { readonly every?: number } {
  const seconds: unknown = exchange.options.tickerSeconds;
  return typeof seconds === "number" ? { every: seconds } : {};
}

/** An error of the stream as an error of ccxt. */
function watchError(desk: ExchangeContext, error: unknown): Error {
  if (error instanceof RejectedError) {
    const { status, error: text, refusalCode } = error.rejection;
    const refused = classifyFailure({ status, error: text, isOrder: false, refusalCode });
    const found = refusedError(desk, refused, "");
    return found ?? ccxtError(desk, "ExchangeNotAvailable", `${status} ${text}`);
  }
  if (error instanceof InvalidSettingError) {
    return ccxtError(desk, "ArgumentsRequired", error.message);
  }
  if (error instanceof HistoryDiffersError) {
    const text = `${error.message}; the service's past was changed, so fetch orders and positions again`;
    return Object.assign(ccxtError(desk, "BadResponse", text), { cause: error });
  }
  const isOfCcxt = error instanceof desk.ccxt.BaseError;
  return isOfCcxt
    ? error
    : Object.assign(ccxtError(desk, "NetworkError", String(error)), { cause: error });
}
