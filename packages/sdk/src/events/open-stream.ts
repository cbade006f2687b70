import { LIMITS } from "@propgate/contract";
import { UnexpectedAnswerError } from "../errors.ts";
import { learnClock } from "../read.ts";
import {
  answerOf,
  type Connection,
  dataOf,
  fetchResponse,
  inTime,
  signedRequest,
} from "../send.ts";
import { type Frame, framesOf } from "./frames.ts";

/** When no frame comes for three times the time between two marks, the connection counts as lost. */
const SILENCE_MS = 3 * LIMITS.streamMarkMs;

/**
 * Opens one connection with a newly signed request and yields its frames. The iteration ends when the service ends its
 * answer. Throws RejectedError, UnexpectedAnswerError, AbortedError, or UnreachableError, also for a broken connection.
 */
export async function* openStream(
  connection: Connection,
  target: string,
): AsyncGenerator<Frame, void, undefined> {
  const controller = new AbortController();
  try {
    const body = await openWithClockRetry(connection, target, controller.signal);
    yield* framesOf(piecesOf(connection, body.getReader()));
  } finally {
    controller.abort();
  }
}

/**
 * Opens the connection. When the service rejects the timestamp, it learns the service's time and signs once more.
 * @rule D10.clockLearned
 */
async function openWithClockRetry(
  connection: Connection,
  target: string,
  ended: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  try {
    return await open(connection, target, ended);
  } catch (error) {
    if (!(await learnClock(connection, error))) throw error;
    return open(connection, target, ended);
  }
}

async function open(
  connection: Connection,
  target: string,
  ended: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { url, init } = await signedRequest(connection, { method: "GET", target });
  const opened = await inTime(connection, connection.timeoutMs, async () => {
    const response = await fetchResponse(connection, url, { ...init, signal: ended });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    return response.status === 200 && isStream === true ? response.body : answerOf(response);
  });
  if (opened instanceof ReadableStream) return opened;
  if (opened !== null && opened.status !== 200) dataOf(connection, opened);
  throw new UnexpectedAnswerError(200);
}

async function* piecesOf(
  connection: Connection,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await inTime(connection, SILENCE_MS, () => reader.read());
    if (done) return;
    yield value;
  }
}
