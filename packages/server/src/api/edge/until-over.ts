import type { IncomingMessage } from "node:http";

/**
 * Calls the listener when the client closes the connection or the service stops. Returns a function that removes the
 * listener.
 */
export function listenUntilOver(
  { socket }: IncomingMessage,
  stopping: AbortSignal,
  listener: () => void,
): () => void {
  // The client may send a short request and the end of its side together, so `end` may have been emitted before the
  // listener is added.
  if (stopping.aborted || socket.destroyed || socket.readableEnded) listener();
  // A client that disconnects ends its side of the connection first, which emits `end`. `close` comes only after the
  // answer, or with a reset.
  socket.once("end", listener).once("close", listener);
  stopping.addEventListener("abort", listener, { once: true });
  return () => {
    socket.off("end", listener).off("close", listener);
    stopping.removeEventListener("abort", listener);
  };
}
