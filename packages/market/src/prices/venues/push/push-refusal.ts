import type { IncomingMessage, ServerResponse } from "node:http";
import type { Timer } from "@propgate/base";

/** The answer to a request whose quotes are not read. */
export interface PushRefusal {
  readonly status: number;
  readonly message: string;
}

/** The refusal of a request without the right token or signature. */
export const UNAUTHORIZED: PushRefusal = {
  status: 401,
  message:
    "send the token as Authorization: Bearer TOKEN, or sign the request with it as key id push",
};

/**
 * How many unread bytes of a refused request are discarded, and for how long, until the connection is closed. A
 * connection that closes earlier may lose the answer before the client reads it. The limits are smaller without the
 * right token.
 */
const DISCARDED = {
  withToken: { bytesMax: 32 * 1_024 * 1_024, msMax: 10_000 },
  without: { bytesMax: 256 * 1_024, msMax: 1_000 },
} as const;

/** Answers with the refusal, and closes the connection when the client has sent the rest or a limit is reached. */
export function refusePush(
  { request, response, timer }: PushHttpExchange,
  { status, message }: PushRefusal,
): void {
  const { socket } = request;
  const { bytesMax, msMax } = status === 401 ? DISCARDED.without : DISCARDED.withToken;
  let discarded = 0;
  request.on("error", () => undefined);
  request.on("data", (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > bytesMax) socket.destroy();
  });
  const cancel = timer.after(msMax, () => socket.destroy());
  socket.once("close", cancel);
  const headers = status === 401 ? { "www-authenticate": "Bearer" } : {};
  answerPush(response, status, { error: message }, { ...headers, connection: "close" });
}

/** One HTTP request to the listener, with its response and the timer of its deadlines. */
export interface PushHttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly timer: Timer;
}

/** Answers with a value as JSON. */
export function answerPush(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = `${JSON.stringify(value)}\n`;
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...headers,
  });
  response.end(body);
}
