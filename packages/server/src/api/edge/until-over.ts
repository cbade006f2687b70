import type { IncomingMessage } from "node:http";

/** Calls the listener when the client closes the connection or the service stops. */
export function listenUntilOver(
  { socket }: IncomingMessage,
  stopping: AbortSignal,
  listener: () => void,
): () => void {
  if (stopping.aborted || socket.destroyed) listener();
  // A client that is gone first ends its side; `close` comes only after the answer, or with a reset.
  socket.once("end", listener).once("close", listener);
  stopping.addEventListener("abort", listener, { once: true });
  return () => {
    socket.off("end", listener).off("close", listener);
    stopping.removeEventListener("abort", listener);
  };
}
