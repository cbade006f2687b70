import type { IncomingMessage } from "node:http";

/**
 * Calls the listener when the client closes the connection or the service stops. Returns the function that ends this.
 */
export function listenUntilOver(
  { socket }: IncomingMessage,
  stopping: AbortSignal,
  listener: () => void,
): () => void {
  // A short request and the client's end may arrive together, so the end may have passed before a listener is added.
  if (stopping.aborted || socket.destroyed || socket.readableEnded) listener();
  // A client that leaves first ends its side; `close` comes only after the answer, or with a reset.
  socket.once("end", listener).once("close", listener);
  stopping.addEventListener("abort", listener, { once: true });
  return () => {
    socket.off("end", listener).off("close", listener);
    stopping.removeEventListener("abort", listener);
  };
}
