import { errorNameOf, helpHeaders, isRecord, isRefusalCode } from "@propgate/contract";
import type { ServiceClock } from "./clock.ts";
import { orAborted, within } from "./deadline.ts";
import { AbortedError, RejectedError, type Rejection, UnexpectedAnswerError } from "./errors.ts";
import type { NewNonce } from "./random.ts";
import { sign } from "./sign.ts";
import { UnreachableError } from "./unreachable.ts";

/** The connection data of a call's requests. */
export interface Connection {
  /** The service's origin: scheme, host and port. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly brand: string;
  /** How long one request may take. */
  readonly timeoutMs: number;
  /** Aborts the call and its running request; null when the call cannot be aborted. */
  readonly signal: AbortSignal | null;
  readonly clock: ServiceClock;
  readonly newNonce: NewNonce;
  readonly fetch: typeof globalThis.fetch;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. @rule S5.bytes */
  readonly body?: string;
  /** A new one when absent. */
  readonly nonce?: string;
}

/**
 * Signs and sends one request, once, and returns what `read` finds, its `data` unless given. It is not checked: unknown
 * fields are kept. Throws RejectedError, UnreachableError, UnexpectedAnswerError or AbortedError.
 */
export async function send<Data>(
  connection: Connection,
  outgoing: Outgoing,
  read: AnswerReader = dataOf,
): Promise<Data> {
  const { url, init } = await signedRequest(connection, outgoing);
  return read(connection, await exchange(connection, url, init)) as Data;
}

/** The request as it is sent, newly signed. @rule S5.bytes decides */
export async function signedRequest(
  connection: Connection,
  outgoing: Outgoing,
): Promise<{ readonly url: URL; readonly init: RequestInit }> {
  const { method, body } = outgoing;
  const url = new URL(outgoing.target, connection.baseUrl);
  const { headers } = await sign({
    method,
    // URL may have escaped a character, so sign the target that it will send.
    target: url.pathname + url.search,
    ...(body === undefined ? {} : { body }),
    keyId: connection.keyId,
    secret: connection.secret,
    timestamp: connection.clock.now(),
    nonce: outgoing.nonce ?? connection.newNonce(),
    brand: connection.brand,
  });
  if (body === undefined) return { url, init: { method, headers } };
  return { url, init: { method, headers: { ...headers, ...JSON_CONTENT }, body } };
}

/** Sends one unsigned GET and returns any answer. Throws UnreachableError or AbortedError. */
export function ask(connection: Connection, target: string): Promise<Answer> {
  return exchange(connection, new URL(target, connection.baseUrl), { method: "GET" });
}

const JSON_CONTENT = { "Content-Type": "application/json" };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body if it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

async function exchange(connection: Connection, url: URL, init: RequestInit): Promise<Answer> {
  return inTime(connection, connection.timeoutMs, async (signal) =>
    answerOf(await fetchResponse(connection, url, { ...init, signal })),
  );
}

/** Does work on the network in this time. Throws UnreachableError or AbortedError. */
export async function inTime<Value>(
  { signal: caller, baseUrl }: Pick<Connection, "signal" | "baseUrl">,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  if (caller?.aborted) throw new AbortedError(caller.reason, true);
  try {
    return await within({ limitMs, signal: caller }, ({ signal }) =>
      orAborted(work(signal), signal),
    );
  } catch (cause) {
    throw caller?.aborted
      ? new AbortedError(caller.reason, false)
      : new UnreachableError(baseUrl, cause);
  }
}

export function fetchResponse(
  connection: Pick<Connection, "fetch">,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  // Workers and browsers reject `fetch` that is called as a method.
  const { fetch } = connection;
  // A signature is for one target, so redirects are not followed. Some runtimes do not support "error".
  return fetch(url, { ...init, redirect: "manual" });
}

export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, body: parseObject(await response.text()) };
}

/** Takes the wanted part of an answer; throws as `dataOf`. */
export type AnswerReader = (connection: Connection, answer: Answer) => unknown;

/** `data` of a success that is an object: an order is not accepted by an answer that shows nothing of it. */
export function recordOf(connection: Connection, answer: Answer): unknown {
  const data = dataOf(connection, answer);
  if (!isRecord(data)) throw new UnexpectedAnswerError(answer.status);
  return data;
}

/** `data` of a success as the items of a page, whose `next` is beside `data`. @rule D13.tradesPage */
export function pageOf(connection: Connection, answer: Answer): unknown {
  return { items: dataOf(connection, answer), next: answer.body?.next ?? null };
}

/** `data` of a success. Throws RejectedError or UnexpectedAnswerError. @rule S1.envelope */
export function dataOf({ brand }: Pick<Connection, "brand">, answer: Answer): unknown {
  const { status, body } = answer;
  if (status === 200 && body?.success === true) return body.data;
  const error = body?.error;
  if (status < 400 || typeof error !== "string") {
    throw new UnexpectedAnswerError(status, retryAfterMs(answer.headers));
  }
  const refusalCode = answer.headers.get(helpHeaders(brand).refusalCode);
  throw new RejectedError(rejectionOf(answer, error, refusalCode));
}

function rejectionOf(
  { status, headers, body }: Answer,
  error: string,
  refusalCode: string | null,
): Rejection {
  const requiredScope = body?.required_scope;
  return {
    status,
    code: errorNameOf(status, error) ?? "unlisted",
    error,
    refusalCode: isRefusalCode(refusalCode) ? refusalCode : null,
    requiredScope: typeof requiredScope === "string" ? requiredScope : null,
    retryAfterMs: retryAfterMs(headers),
    headers: Object.fromEntries(headers),
  };
}

/** Milliseconds of Retry-After, which has seconds, or a moment by the clock of the same answer; null without it. */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const waitMs = Date.parse(text) - Date.parse(headers.get("date") ?? "");
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
