import type { Now } from "./clock.ts";
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
  readonly brand: string | undefined;
  readonly timeoutMs: number;
  readonly now: Now;
  readonly newNonce: NewNonce;
  readonly fetch: typeof globalThis.fetch;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  /** Serialised once: these bytes are signed, and these bytes are sent. @rule S5.bytes */
  readonly body?: string;
}

/**
 * Signs and sends one request, once, and returns its `data`, which is taken to be what the
 * specification promises for the endpoint: fields that are unknown here are kept.
 * Throws RejectedError, UnreachableError or UnexpectedAnswerError.
 */
export async function send<Data>(connection: Connection, outgoing: Outgoing): Promise<Data> {
  const url = new URL(outgoing.target, connection.baseUrl);
  const { headers } = await sign({
    method: outgoing.method,
    // URL may have escaped a character: what it will send is what has to be signed.
    target: url.pathname + url.search,
    ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
    keyId: connection.keyId,
    secret: connection.secret,
    timestamp: connection.now(),
    nonce: connection.newNonce(),
    ...(connection.brand === undefined ? {} : { brand: connection.brand }),
  });
  const answer = await exchange(connection, url, {
    method: outgoing.method,
    redirect: "error",
    headers: outgoing.body === undefined ? headers : { ...headers, ...JSON_CONTENT },
    ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
  });
  return readAnswer(answer) as Data;
}

const JSON_CONTENT = { "Content-Type": "application/json" };

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function exchange(connection: Connection, url: URL, init: RequestInit): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(connection.timeoutMs);
    const response = await connection.fetch(url, { ...init, signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    throw new UnreachableError(`no answer from ${url.origin}`, { cause });
  }
}

function readAnswer(answer: Answer): unknown {
  const body = parseObject(answer.text);
  if (answer.status === 200 && body?.success === true) return body.data;
  const error = body?.error;
  if (answer.status >= 400 && typeof error === "string") {
    throw new RejectedError(rejection(answer, error, body?.required_scope));
  }
  throw new UnexpectedAnswerError(
    `status ${answer.status} with a body that is no answer of this API`,
  );
}

function rejection(answer: Answer, error: string, requiredScope: unknown): Rejection {
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
  return {
    status: answer.status,
    error,
    requiredScope: typeof requiredScope === "string" ? requiredScope : null,
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
    headers: Object.fromEntries(answer.headers),
  };
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
