import { errorNameOf, helpHeaders, isRecord, isRefusalCode } from "@propgate/contract";
import type { ServiceClock } from "./clock.ts";
import { orAborted, withDeadline } from "./deadline.ts";
import { AbortedError, RejectedError, type Rejection, UnexpectedAnswerError } from "./errors.ts";
import type { NewNonce } from "./random.ts";
import { sign } from "./sign.ts";
import { UnreachableError } from "./unreachable.ts";

/** The data that the requests of a call need: the service, the key and the limits. */
export interface Connection {
  /** The service's origin: scheme, host and port. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly brand: string;
  /** The time limit of one request in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts the call with its request in progress; null when the call cannot be aborted. */
  readonly signal: AbortSignal | null;
  readonly clock: ServiceClock;
  readonly newNonce: NewNonce;
  readonly fetch: typeof globalThis.fetch;
}

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. @rule S5.bytes */
  readonly body?: string;
  /** The nonce to sign with; a new one when absent. */
  readonly nonce?: string;
}

/**
 * Signs and sends one request, once, and returns the part of the answer that `read` takes, by default its `data`. The
 * part is not checked, and unknown fields are kept. Throws RejectedError, UnreachableError, UnexpectedAnswerError or
 * AbortedError.
 */
export async function send<Data>(
  connection: Connection,
  outgoing: UnsignedRequest,
  read: AnswerReader = dataOf,
): Promise<Data> {
  const { url, init } = await signedRequest(connection, outgoing);
  return read(connection, await exchange(connection, url, init)) as Data;
}

/**
 * The request in the form for `fetch`, newly signed. Its body is a text that was serialized before, so the signed bytes
 * are the sent bytes. @rule S5.bytes decides
 */
export async function signedRequest(
  connection: Connection,
  outgoing: UnsignedRequest,
): Promise<{ readonly url: URL; readonly init: RequestInit }> {
  const { method, body } = outgoing;
  const url = new URL(outgoing.target, connection.baseUrl);
  const { headers } = await sign({
    method,
    // `URL` may have escaped a character, so the target is signed as it will be sent.
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
export function sendUnsigned(connection: Connection, target: string): Promise<Answer> {
  return exchange(connection, new URL(target, connection.baseUrl), { method: "GET" });
}

const JSON_CONTENT = { "Content-Type": "application/json" };

/** An answer with any status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body when it is a JSON object; null otherwise. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

async function exchange(connection: Connection, url: URL, init: RequestInit): Promise<Answer> {
  return inTime(connection, connection.timeoutMs, async (signal) =>
    answerOf(await fetchResponse(connection, url, { ...init, signal })),
  );
}

/** Runs work that uses the network, for at most `limitMs`. Throws UnreachableError or AbortedError. */
export async function inTime<Value>(
  { signal: caller, baseUrl }: Pick<Connection, "signal" | "baseUrl">,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  if (caller?.aborted) throw new AbortedError(caller.reason, true);
  try {
    return await withDeadline({ limitMs, signal: caller }, ({ signal }) =>
      orAborted(work(signal), signal),
    );
  } catch (cause) {
    throw caller?.aborted
      ? new AbortedError(caller.reason, false)
      : new UnreachableError(baseUrl, cause);
  }
}

/** Calls the connection's `fetch`, which does not follow redirects. */
export function fetchResponse(
  connection: Pick<Connection, "fetch">,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  // Workers and browsers reject a `fetch` that is called as a method.
  const { fetch } = connection;
  // A signature is for one target, so redirects are not followed. Some runtimes do not support `redirect: "error"`.
  return fetch(url, { ...init, redirect: "manual" });
}

/** Reads the body of a response. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, body: parseObject(await response.text()) };
}

/** Takes a part of an answer. Throws like `dataOf` when the answer is not a success. */
export type AnswerReader = (connection: Connection, answer: Answer) => unknown;

/** `data` of a success, which has to be an object. An answer without one does not prove that the order was accepted. */
export function dataObjectOf(connection: Connection, answer: Answer): unknown {
  const data = dataOf(connection, answer);
  if (!isRecord(data)) throw new UnexpectedAnswerError(answer.status);
  return data;
}

/** A page: `data` of a success as its items, and `next`, which is beside `data`. @rule D13.tradesPage */
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

/**
 * The wait of the `Retry-After` header in milliseconds. The header has a number of seconds, or a date by the same clock
 * as the answer's `Date` header. Null when the header is missing or not readable.
 */
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
