import { isRecord } from "@propgate/contract";
import type { Status } from "ccxt";
import { HEALTH_PATH } from "./calls.ts";
import { ccxtError, type ExchangeContext } from "./ccxt-module.ts";

/**
 * `ok`, or `maintenance` when the service reports a problem; `info` has the service's own answer. Throws ccxt's
 * NetworkError when there is no answer.
 */
export async function fetchStatus(desk: ExchangeContext): Promise<Status> {
  const { exchange } = desk;
  const unknown = { updated: undefined, eta: undefined, url: undefined };
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
}
