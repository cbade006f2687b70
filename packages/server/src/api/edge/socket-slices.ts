import type { Socket } from "node:net";

/** The bytes of a slice: few enough to stop a connection soon, enough for most requests. */
const SLICE_BYTES = 1_024;

/**
 * Feeds Node's HTTP parser in slices, and with no more bytes once `isStopped` is true. A read of 64 KiB may hold 10,000
 * one-byte chunks or 1,000 pipelined requests, and the parser processes all of them even after the connection is
 * destroyed. Call this when Node's own listeners are attached. `onSlice` is called before a slice is parsed.
 */
export function feedInSlices(
  socket: Socket,
  isStopped: () => boolean,
  onSlice: (bytes: Buffer) => void,
): void {
  const parsers = socket.listeners("data");
  const parse = (bytes: Buffer): void => {
    onSlice(bytes);
    for (const parser of parsers) Reflect.apply(parser, socket, [bytes]);
  };
  socket.removeAllListeners("data");
  socket.on("data", (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      if (isStopped() || socket.destroyed) return;
      // Node pauses a connection whose answers are not read. The remaining bytes are read when it resumes.
      if (at > 0 && socket.isPaused()) {
        socket.unshift(bytes.subarray(at));
        return;
      }
      parse(bytes.length <= SLICE_BYTES ? bytes : bytes.subarray(at, at + SLICE_BYTES));
    }
  });
}
