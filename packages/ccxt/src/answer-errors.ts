import type { Desk } from "./ccxt-module.ts";
import { isRecord } from "./conforms.ts";
import { refusedWith } from "./error-classes.ts";
import { refusedError } from "./orders/place.ts";
import { degradedError } from "./service-status.ts";

/** The arguments of ccxt's `handleErrors` that are used here. */
export interface Answer {
  readonly status: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly response: unknown;
}

/**
 * The error of an answer that is a failure of this API, null for a success and for what somebody in
 * between has answered: ccxt's table of HTTP statuses is for that.
 */
export function answerError(desk: Desk, answer: Answer): Error | null {
  const { status, method, url, headers, response } = answer;
  if (status === 200 || !isRecord(response)) return null;
  if (typeof response.error !== "string") return degradedError(desk, response);
  const isOrder = method === "POST" && /\/trading\/orders$/.test(url);
  const refused = refusedWith(status, response.error, isOrder);
  const scope = response.required_scope;
  const hints = [
    typeof scope === "string" ? `needs ${scope}` : null,
    retryHint(headers),
    refused.name === "timestampInvalid" ? CLOCK_HINT : null,
  ].filter((one) => one !== null);
  return refusedError(desk, refused, hints.length === 0 ? "" : ` (${hints.join(", ")})`);
}

const CLOCK_HINT = "this machine's clock is off: options.adjustForTimeDifference";

function retryHint(headers: Readonly<Record<string, unknown>>): string | null {
  const seconds = headers["Retry-After"];
  return typeof seconds === "string" ? `again in ${seconds} s` : null;
}
