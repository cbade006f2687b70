import { isRecord } from "@propgate/contract";
import type { Status } from "ccxt";
import { HEALTH_PATH } from "./calls.ts";
import { ccxtError, type Desk } from "./ccxt-module.ts";

/**
 * `ok`, or `maintenance` while the service cannot reach its database; `info` has the service's own
 * answer. Throws ccxt's NetworkError when there is no answer.
 */
export async function fetchStatus(desk: Desk): Promise<Status> {
  const { exchange } = desk;
  const unknown = { updated: undefined, eta: undefined, url: undefined };
  try {
    const info: unknown = await exchange.request(
      HEALTH_PATH,
      "public",
      "GET",
      {},
      undefined,
      undefined,
      { cost: 0 },
    );
    if (isRecord(info) && info.status === "ok") return { status: "ok", ...unknown, info };
    if (isRecord(info) && info.status === "degraded") {
      return { status: "maintenance", ...unknown, info };
    }
    throw ccxtError(desk, "BadResponse", `GET ${HEALTH_PATH}: status is missing`);
  } catch (error) {
    if (!isDegradedError(error)) throw error;
    return { status: "maintenance", ...unknown, info: error.health };
  }
}

/** The 503 body of `/health` in older releases. */
export interface DegradedError extends Error {
  readonly health: Readonly<Record<string, unknown>>;
}

/** The error of a service that reports a problem; null for every other answer. */
export function degradedError(desk: Desk, response: unknown): DegradedError | null {
  if (!isRecord(response) || response.status !== "degraded") return null;
  const error = ccxtError(desk, "ExchangeNotAvailable", "is degraded");
  return Object.assign(error, { health: response });
}

function isDegradedError(error: unknown): error is DegradedError {
  return error instanceof Error && "health" in error;
}
