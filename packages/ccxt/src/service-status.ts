import type { Status } from "ccxt";
import { HEALTH_PATH } from "./calls.ts";
import { ccxtError, type Desk } from "./ccxt-module.ts";
import { isRecord } from "./conforms.ts";

/**
 * `ok`, or `maintenance` while the service cannot reach its database; what it says of itself, such as
 * how old its prices are, stands in `info`. Throws ccxt's NetworkError when nobody answers.
 */
export async function fetchStatus(desk: Desk): Promise<Status> {
  const { exchange } = desk;
  const unknown = { updated: undefined, eta: undefined, url: undefined };
  try {
    const free = { cost: 0 };
    const info: unknown = await exchange.request(
      ...([HEALTH_PATH, "public", "GET", {}, undefined, undefined, free] as const),
    );
    if (isRecord(info) && info.status === "ok") return { status: "ok", ...unknown, info };
    throw ccxtError(desk, "BadResponse", `GET ${HEALTH_PATH}: status is missing`);
  } catch (error) {
    const info = parsed(exchange.last_http_response);
    if (error instanceof desk.ccxt.NetworkError && info?.status === "degraded") {
      return { status: "maintenance", ...unknown, info };
    }
    throw error;
  }
}

function parsed(text: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof text !== "string") return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
