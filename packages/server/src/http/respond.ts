import { ERRORS } from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Answer } from "./answer.ts";
import type { Rejection } from "./gates/facts.ts";

/** What an answer may tell beyond its body, in headers. */
export interface Seen {
  readonly target: string;
  readonly bodySha256: string;
}

/** Makes every answer of the API; the only place where an error becomes one. @rule S7 D2 */
export interface Respond {
  success(data: unknown, context: Context & { readonly ignored?: readonly string[] }): Answer;
  /** `seen` only once the key is known. */
  failure(rejection: Rejection, context: Context & { readonly seen?: Seen | null }): Answer;
}

export interface Context {
  readonly requestId: string;
}

const MS_PER_SECOND = 1000;
const JSON_TYPE = "application/json; charset=utf-8";

export function respondWith(need: {
  readonly brand: string;
  readonly networkName: string;
  readonly readsPerMinute: number;
  readonly clock: Clock;
}): Respond {
  const header = (name: string): string => `X-${need.brand}-${name}`;
  const names = {
    requestId: header("Request-Id"),
    ignored: header("Ignored-Fields"),
    target: header("Seen-Target"),
    body: header("Seen-Body-Sha256"),
    time: header("Server-Time"),
  };
  const base = (requestId: string): Record<string, string> => ({
    "Content-Type": JSON_TYPE,
    "Cache-Control": "no-store",
    [names.requestId]: requestId,
  });

  return {
    success(data, { requestId, ignored = [] }) {
      const headers = base(requestId);
      if (ignored.length > 0) headers[names.ignored] = visible(ignored.join(", "));
      return { status: 200, headers, body: JSON.stringify({ success: true, data }) };
    },
    failure(rejection, { requestId, seen = null }) {
      const row = ERRORS[rejection.error];
      const headers = base(requestId);
      const now = need.clock.now();
      if (row.status === 401) headers[names.time] = String(now);
      if (row.status === 401 && seen !== null) {
        headers[names.target] = visible(seen.target);
        headers[names.body] = seen.bodySha256;
      }
      if (rejection.retryAtMs !== undefined)
        Object.assign(headers, retryHeaders(rejection, { now, ...need }));
      return { status: row.status, headers, body: JSON.stringify(errorBody(rejection, need)) };
    },
  };
}

function errorBody(
  rejection: Rejection,
  need: { readonly networkName: string },
): Readonly<Record<string, string>> {
  const text = rejection.text ?? ERRORS[rejection.error].text;
  const error = text.replace("<network>", need.networkName);
  return rejection.requiredScope === undefined
    ? { error }
    : { error, required_scope: rejection.requiredScope };
}

/** Retry-After with both 429s; the three X-RateLimit headers with the read budget's only. @rule S8 */
function retryHeaders(
  { error, retryAtMs = 0 }: Rejection,
  need: { readonly now: UnixMs; readonly readsPerMinute: number },
): Readonly<Record<string, string>> {
  const seconds = Math.max(1, Math.ceil((retryAtMs - need.now) / MS_PER_SECOND));
  const headers = { "Retry-After": String(seconds) };
  if (error !== "rate_limited") return headers;
  return {
    ...headers,
    "X-RateLimit-Limit": String(need.readsPerMinute),
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": String(Math.ceil(retryAtMs / MS_PER_SECOND)),
  };
}

/** Printable ASCII only, anything else percent-encoded, so nothing can break out of a header. */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
