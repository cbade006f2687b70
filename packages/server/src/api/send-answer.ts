import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, yieldToEventLoop } from "@propgate/base";
import type { Answer } from "./answer.ts";
import { hasBody } from "./edge/body-intake.ts";

/** Writes an answer as the response to a request. */
export type SendAnswer = (
  answer: Answer,
  message: IncomingMessage,
  response: ServerResponse,
) => void;

const MS_PER_SECOND = 1000;
const LINGER_MS = 500;
const LINGER_BYTES = 1_048_576;

/** Writes an answer to the socket, with `security` and the service's own time in its headers. */
export function createAnswerSender(
  clock: Clock,
  security: Readonly<Record<string, string>>,
): SendAnswer {
  const date = { second: Number.NaN, text: "" };
  const dateText = (): string => {
    const second = Math.floor(clock.now() / MS_PER_SECOND);
    if (second !== date.second) {
      date.second = second;
      date.text = new Date(second * MS_PER_SECOND).toUTCString();
    }
    return date.text;
  };
  return (answer, message, response) => {
    const { body } = answer;
    const unread = !message.readableEnded && hasBody(message);
    response.sendDate = false;
    response.writeHead(answer.status, {
      ...security,
      ...answer.headers,
      Date: dateText(),
      ...(typeof body === "string" ? { "Content-Length": Buffer.byteLength(body) } : {}),
      ...(unread ? { Connection: "close" } : {}),
    });
    if (typeof body !== "string") void sendPieces(body, response, answer.cutAt);
    else if (unread) endAfterLingering(body, message, response);
    else response.end(body);
  };
}

/** After this many bytes of one answer, the sender yields to the event loop, so that other requests are served too. */
const YIELD_AFTER_BYTES = 131_072;

/**
 * Sends the chunks of a body, each when the connection's send buffer has room for it. An error cuts the connection, so
 * that an incomplete list never looks complete.
 * @rule D12.share
 */
async function sendPieces(
  pieces: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  cutAt: AbortSignal | undefined,
): Promise<void> {
  const cut = (): void => void response.destroy();
  let bytesSinceYield = 0;
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      bytesSinceYield += piece.length;
      if (bytesSinceYield > YIELD_AFTER_BYTES) {
        await yieldToEventLoop();
        bytesSinceYield = piece.length;
      }
      if (response.write(piece)) continue;
      cutAt?.addEventListener("abort", cut);
      if (cutAt?.aborted === true) cut();
      await untilRoomOrEnd(response);
      cutAt?.removeEventListener("abort", cut);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

function untilRoomOrEnd(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off("drain", end).off("close", end);
      resolve();
    };
    response.once("drain", end).once("close", end);
    if (response.destroyed) end();
  });
}

/**
 * Ends an answer whose request has an unread body. The rest of the body would look like a new request, so the
 * connection must close. But closing it while the client still sends would lose the answer. So a little of the rest is
 * read and discarded first.
 */
function endAfterLingering(body: string, message: IncomingMessage, response: ServerResponse): void {
  response.write(body);
  let left = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    message.off("data", onData);
    response.end();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  message.on("data", onData).on("end", end).on("close", end);
}
