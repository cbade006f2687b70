import { errorNameOf } from "@propgate/contract";
import type { ServiceClock } from "./clock.ts";
import {
  RejectedError,
  type Rejection,
  UnexpectedAnswerError,
  UnreachableError,
} from "./errors.ts";
import type { NewNonce } from "./random.ts";
import { sign } from "./sign.ts";

/** What every request of a client needs. */
export interface Connection {
  /** Where the service is, without a path: `https://trade.example.com`. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly brand: string;
  readonly timeoutMs: number;
  readonly clock: ServiceClock;
  readonly newNonce: NewNonce;
  readonly fetch: typeof globalThis.fetch;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  /** Serialised once: these bytes are signed, and these bytes are sent. @rule S5.bytes */
  readonly body?: string;
  /** A fresh one when absent. */
  readonly nonce?: string;
}

/**
 * Signs and sends one request, once, and returns its `data`, which is taken to be what the
 * specification promises for the endpoint: fields that are unknown here are kept.
 * Throws RejectedError, UnreachableError or UnexpectedAnswerError.
 */
export async function send<Data>(connection: Connection, outgoing: Outgoing): Promise<Data> {
  const { method, body } = outgoing;
  const url = new URL(outgoing.target, connection.baseUrl);
  const { headers } = await sign({
    method,
    // URL may have escaped a character: what it will send is what has to be signed.
    target: url.pathname + url.search,
    ...(body === undefined ? {} : { body }),
    keyId: connection.keyId,
    secret: connection.secret,
    timestamp: connection.clock.now(),
    nonce: outgoing.nonce ?? connection.newNonce(),
    brand: connection.brand,
  });
  const init =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, ...JSON_CONTENT }, body };
  return dataOf(await exchange(connection, url, init)) as Data;
}

/** One unsigned GET, whatever its answer. Throws UnreachableError. */
export function ask(connection: Connection, target: string): Promise<Answer> {
  return exchange(connection, new URL(target, connection.baseUrl), { method: "GET" });
}

const JSON_CONTENT = { "Content-Type": "application/json" };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body where it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

async function exchange(connection: Connection, url: URL, init: RequestInit): Promise<Answer> {
  // Called by itself: as a method of something else, workers and browsers refuse it.
  const { fetch } = connection;
  try {
    const signal = AbortSignal.timeout(connection.timeoutMs);
    // A signature holds for one target, so a redirection is no answer; "error" is not known everywhere.
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const { status, headers } = response;
    return { status, headers, body: parseObject(await response.text()) };
  } catch (cause) {
    throw new UnreachableError(`no answer from ${url.origin}`, { cause });
  }
}

/** `data` of a success. Throws RejectedError or UnexpectedAnswerError. @rule S1.envelope */
export function dataOf(answer: Answer): unknown {
  const { status, headers, body } = answer;
  if (status === 200 && body?.success === true) return body.data;
  const error = body?.error;
  if (status < 400 || typeof error !== "string") throw new UnexpectedAnswerError(status);
  throw new RejectedError(rejectionOf(answer, error, headers));
}

function rejectionOf({ status, body }: Answer, error: string, headers: Headers): Rejection {
  const requiredScope = body?.required_scope;
  return {
    status,
    code: errorNameOf(status, error) ?? "unlisted",
    error,
    requiredScope: typeof requiredScope === "string" ? requiredScope : null,
    retryAfterMs: retryAfterMs(headers),
    headers: Object.fromEntries(headers),
  };
}

/** Seconds, or a moment by the clock of the same answer. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const waitMs = Date.parse(text) - Date.parse(headers.get("date") ?? "");
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
