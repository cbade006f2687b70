import { helpHeaders, isRecord } from "@propgate/contract";
import type { ExchangeContext } from "./ccxt-module.ts";
import { classifyFailure } from "./error-classes.ts";
import { refusedError } from "./orders/place.ts";
import { brandOf } from "./signed-request.ts";

/** The arguments of ccxt's `handleErrors` that this exchange uses. */
export interface Answer {
  readonly status: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly response: unknown;
}

/**
 * The error for a failed answer of this API. Null for a success, and for the answer of a proxy, which ccxt's own table
 * of HTTP statuses handles.
 */
export function answerError(desk: ExchangeContext, answer: Answer): Error | null {
  const { status, method, url, headers, response } = answer;
  if (status === 200 || !isRecord(response) || typeof response.error !== "string") return null;
  const isOrder = method === "POST" && /\/trading\/orders$/.test(url);
  const refusalCode = headerOf(headers, helpHeaders(brandOf(desk.exchange.options)).refusalCode);
  const refused = classifyFailure({ status, error: response.error, isOrder, refusalCode });
  const scope = response.required_scope;
  const hints = [
    typeof scope === "string" ? `needs ${scope}` : null,
    retryHint(headers),
    refused.name === "timestampInvalid" ? CLOCK_HINT : null,
  ].filter((one) => one !== null);
  return refusedError(desk, refused, hints.length === 0 ? "" : ` (${hints.join(", ")})`);
}

const CLOCK_HINT = "this machine's clock is off: options.adjustForTimeDifference";

/** The value of a header by its name in any case, because ccxt changes the case of header names. */
export function headerOf(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

function retryHint(headers: Readonly<Record<string, unknown>>): string | null {
  const seconds = headers["Retry-After"];
  return typeof seconds === "string" ? `retry in ${seconds} s` : null;
}
