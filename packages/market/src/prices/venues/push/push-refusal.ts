import type { IncomingMessage, ServerResponse } from "node:http";
import type { Timer } from "@propgate/base";

/** A request that is answered without reading its quotes. */
export interface PushRefusal {
  readonly status: number;
  readonly message: string;
}

export const UNAUTHORIZED: PushRefusal = {
  status: 401,
  message:
    "send the token as Authorization: Bearer TOKEN, or sign the request with it as key id push",
};

/** Unread bytes of a refused request that are discarded, so that its client can read the answer. */
const DISCARDED_BYTES_MAX = 256 * 1_024;
const DISCARDED_MS_MAX = 1_000;

/** Answers and closes the connection. */
export function refusePush(
  { request, response, timer }: Exchange,
  { status, message }: PushRefusal,
): void {
  const { socket } = request;
  let discarded = 0;
  request.on("error", () => undefined);
  request.on("data", (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > DISCARDED_BYTES_MAX) socket.destroy();
  });
  const cancel = timer.after(DISCARDED_MS_MAX, () => socket.destroy());
  socket.once("close", cancel);
  const headers = status === 401 ? { "www-authenticate": "Bearer" } : {};
  answerPush(response, status, { error: message }, { ...headers, connection: "close" });
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly timer: Timer;
}

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
