import type { Socket } from "node:net";
import type { FailureBody } from "@propgate/contract";

const BODY: FailureBody = { error: "Malformed request" };

/** What is no HTTP still gets the envelope; then the connection closes. @rule S1.envelope */
export function answerMalformed(cause: Error & { readonly code?: string }, socket: Socket): void {
  if (cause.code === "ECONNRESET" || socket.destroyed) return;
  const body = JSON.stringify(BODY);
  if (socket.writable)
    socket.write(
      [
        "HTTP/1.1 400 Bad Request",
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  socket.destroySoon();
}
