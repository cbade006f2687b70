import { helpHeaders, TIME_PATH } from "@propgate/contract";
import { RejectedError, type Rejection } from "./errors.ts";
import {
  type AnswerReader,
  type Connection,
  dataOf,
  send,
  sendUnsigned,
  type UnsignedRequest,
} from "./send.ts";
import { UnreachableError } from "./unreachable.ts";

/**
 * Sends a request that may be sent twice. When the service rejects the timestamp, the client learns the service's time,
 * signs the request once more, and signs all later requests with that time.
 * @rule D10.clockLearned
 */
export async function sendRead<Data>(
  connection: Connection,
  outgoing: UnsignedRequest,
  read: AnswerReader = dataOf,
): Promise<Data> {
  try {
    return await send<Data>(connection, outgoing, read);
  } catch (error) {
    if (!(await learnClock(connection, error))) throw error;
    return await send<Data>(connection, outgoing, read);
  }
}

/**
 * Learns the service's time when `error` rejects the timestamp. When it returns true, the client has learnt the time,
 * and the caller signs its request once more, a read and an order alike. @rule D10.clockLearned decides
 */
export async function learnClock(connection: Connection, error: unknown): Promise<boolean> {
  if (!(error instanceof RejectedError) || error.code !== "timestampInvalid") return false;
  const serviceNowMs =
    headerTime(connection, error.rejection) ??
    (await readServiceTime(connection)) ??
    dateHeaderMs(error.rejection.headers.date);
  if (serviceNowMs === null) return false;
  connection.clock.learn(serviceNowMs);
  return true;
}

function headerTime(connection: Connection, { headers }: Rejection): number | null {
  const text = headers[helpHeaders(connection.brand).serverTimeMs.toLowerCase()];
  const ms = Number(text ?? Number.NaN);
  return Number.isFinite(ms) ? ms : null;
}

/** The time of GET time; null for a service without this endpoint, and when no answer comes. */
async function readServiceTime(connection: Connection): Promise<number | null> {
  try {
    const { status, body } = await sendUnsigned(connection, TIME_PATH);
    const data: unknown = status === 200 ? body?.data : null;
    const hasTime = typeof data === "object" && data !== null && "serverTimeMs" in data;
    return hasTime && typeof data.serverTimeMs === "number" ? data.serverTimeMs : null;
  } catch (error) {
    if (error instanceof UnreachableError) return null;
    throw error;
  }
}

/** The milliseconds of a `Date` header; null when it is missing or not a date. */
export function dateHeaderMs(date: string | undefined): number | null {
  const ms = Date.parse(date ?? "");
  return Number.isNaN(ms) ? null : ms;
}
