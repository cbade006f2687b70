import { randomNonce, sign } from "@propgate/sdk";
import type { Credentials } from "../profile/connection.ts";

/** One request, signed and not yet sent. */
export interface Prepared {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer as it arrived, without any check. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

const TIMEOUT_MS = 10_000;

/** Signs a request with a new nonce. Sending the result twice shows whether the service rejects a used nonce. */
export async function prepare(
  credentials: Credentials,
  request: Pick<Prepared, "method" | "target"> & { readonly body?: string; readonly nowMs: number },
): Promise<Prepared> {
  const { method, target, body } = request;
  const { headers } = await sign({
    method,
    target,
    nonce: randomNonce(),
    timestamp: request.nowMs,
    keyId: credentials.keyId,
    secret: credentials.secret,
    brand: credentials.brand,
    ...(body === undefined ? {} : { body }),
  });
  const content = body === undefined ? {} : { "Content-Type": "application/json" };
  return { method, target, headers: { ...headers, ...content }, body: body ?? null };
}

/** Sends the request once. Throws the error of `fetch` when no answer comes. */
export async function sendPrepared(baseUrl: string, request: Prepared): Promise<Answer> {
  const response = await fetch(baseUrl + request.target, {
    method: request.method,
    redirect: "manual",
    headers: request.headers,
    body: request.body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
