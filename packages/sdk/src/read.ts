import { helpHeaders, TIME_PATH } from "@propgate/contract";
import { RejectedError, type Rejection } from "./errors.ts";
import { ask, type Connection, type Outgoing, send } from "./send.ts";
import { UnreachableError } from "./unreachable.ts";

/**
 * Sends a request that changes nothing. When this machine's clock is too far off, the client learns
 * the service's time and signs the request once more; all that it sends afterwards is signed by that
 * time. @rule D10.clockLearned
 */
export async function sendRead<Data>(connection: Connection, outgoing: Outgoing): Promise<Data> {
  try {
    return await send<Data>(connection, outgoing);
  } catch (error) {
    if (!(await learnClock(connection, error))) throw error;
    return await send<Data>(connection, outgoing);
  }
}

/** True when `error` rejected the timestamp, and the service's time is known now. */
export async function learnClock(connection: Connection, error: unknown): Promise<boolean> {
  if (!(error instanceof RejectedError) || error.code !== "timestampInvalid") return false;
  const serviceNowMs =
    headerTime(connection, error.rejection) ??
    (await askedTime(connection)) ??
    moment(error.rejection.headers.date);
  if (serviceNowMs === null) return false;
  connection.clock.learn(serviceNowMs);
  return true;
}

function headerTime(connection: Connection, { headers }: Rejection): number | null {
  const text = headers[helpHeaders(connection.brand).serverTimeMs.toLowerCase()];
  const ms = Number(text ?? Number.NaN);
  return Number.isFinite(ms) ? ms : null;
}

/** Null where a service tells no time. */
async function askedTime(connection: Connection): Promise<number | null> {
  try {
    const { status, body } = await ask(connection, TIME_PATH);
    const data: unknown = status === 200 ? body?.data : null;
    const isTold = typeof data === "object" && data !== null && "serverTimeMs" in data;
    return isTold && typeof data.serverTimeMs === "number" ? data.serverTimeMs : null;
  } catch (error) {
    if (error instanceof UnreachableError) return null;
    throw error;
  }
}

/** Milliseconds of a Date header. */
export function moment(date: string | undefined): number | null {
  const ms = Date.parse(date ?? "");
  return Number.isNaN(ms) ? null : ms;
}
