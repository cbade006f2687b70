import { type BookTop, readBookTops } from "./book-tops.ts";
import type { Exchange } from "./ccxt-library.ts";
import type { SequenceCheck } from "./sequence-checks.ts";

/** A message of the venue after ccxt has read it: its prices, and whether it was readable. */
export interface VenueMessage {
  readonly tops: readonly BookTop[];
  readonly isReadable: boolean;
}

/** Receives the messages, signs of life and failures of a client. */
export interface TapReports {
  message(message: VenueMessage, bytes: number): void;
  alive(): void;
  failed(error: unknown): void;
}

type Client = ReturnType<Exchange["client"]>;

/**
 * The maximum number of markets that a venue may name without a subscription. ccxt keeps the newest price of each, so a
 * venue that keeps naming new markets is disconnected.
 */
const STRAYS_MAX = 1_000;

const CURLY_BRACKET = 0x7b;
const SQUARE_BRACKET = 0x5b;

/**
 * Reports every message of a WebSocket client of ccxt. A loop over a watch method would miss messages: between two
 * calls ccxt keeps only the newest, so a low that a later message of the same packet replaces would be lost. Every
 * result and every failure passes through `resolve` and `reject`, even when no call waits for it.
 */
export function tapClient(client: Client, check: SequenceCheck, reports: TapReports): void {
  const wanted = new Set<string>();
  const strays = new Set<string>();
  let tops: BookTop[] = [];
  let isReadable = true;
  let isInMessage = false;

  function report(bytes: number): void {
    const message = { tops, isReadable };
    tops = [];
    isReadable = true;
    reports.message(message, bytes);
  }

  const future = client.future.bind(client);
  client.future = (hash) => {
    wanted.add(hash);
    return future(hash);
  };

  const resolve = client.resolve.bind(client);
  client.resolve = (result, hash) => {
    if (hash !== undefined && wanted.has(hash)) {
      tops.push(...readBookTops(result));
      if (!isInMessage && tops.length > 0) report(0);
    } else if (hash !== undefined) {
      strays.add(hash);
      if (strays.size > STRAYS_MAX) reports.failed(new Error("too many unknown markets"));
    }
    return resolve(result, hash);
  };

  const reject = client.reject.bind(client);
  client.reject = (error, hash) => {
    reports.failed(error);
    return reject(error, hash);
  };

  const onMessage = client.onMessage.bind(client);
  client.onMessage = (event: { readonly data: unknown }) => {
    isInMessage = true;
    isReadable = isLikeJson(client, event.data);
    onMessage(event);
    isInMessage = false;
    report(sizeOf(event.data));
  };

  const handle: unknown = client.onMessageCallback;
  client.onMessageCallback = (from: Client, message: unknown) => {
    const failure = check(message);
    if (failure !== null) reports.failed(new Error(failure));
    else if (typeof handle === "function") handle(from, message);
  };

  // While it is not verbose, ccxt logs only invalid JSON here. So a logged line makes the message unreadable.
  client.log = () => {
    isReadable = false;
  };

  const onPong = client.onPong.bind(client);
  client.onPong = () => {
    onPong();
    reports.alive();
  };
  client.onPing = () => reports.alive();

  // ccxt sends subscriptions without waiting for the result. A failure after a cut connection must not end the process.
  const send = client.send.bind(client);
  client.send = (message) => send(message).catch(() => {});
}

/**
 * Whether a message can be JSON, a ping or a pong. Compressed messages and messages that are not bytes count as such,
 * and ccxt judges them.
 */
function isLikeJson(client: Client, data: unknown): boolean {
  if (client.gunzip === true || client.inflate === true || !Buffer.isBuffer(data)) return true;
  const [first] = data;
  if (first === CURLY_BRACKET || first === SQUARE_BRACKET) return true;
  return data.length < 8 && /^"?p[io]ng"?$/i.test(data.toString("latin1"));
}

function sizeOf(data: unknown): number {
  return typeof data === "string" || Buffer.isBuffer(data) ? data.length : 0;
}

interface Socket {
  readonly readyState: number;
  terminate(): void;
  once(event: "close", listener: () => void): unknown;
}

const CLOSED = 3;

/** Ends a client. Resolves when its socket is released. */
export async function endClient(client: Client): Promise<void> {
  const socket: unknown = client.connection;
  client.reset(new Error("stopped"));
  if (!isSocket(socket) || socket.readyState === CLOSED) return;
  const closed = new Promise<void>((resolve) => socket.once("close", resolve));
  socket.terminate();
  await closed;
}

function isSocket(value: unknown): value is Socket {
  return typeof value === "object" && value !== null && "terminate" in value;
}
