import type { Timer } from "@propgate/base";
import type { RawData, WebSocket } from "ws";
import type { PushIntake } from "./push-intake.ts";
import { createPushTally } from "./push-tally.ts";

/** The maximum number of bytes of a message. A message has one or more lines. */
export const PUSH_MESSAGE_BYTES_MAX = 1_024 * 1_024;

const TALLY_EVERY_MS = 1_000;
const PING_EVERY_MS = 15_000;
const UNREAD_BYTES_MAX = 64 * 1_024;
/** After this many bytes the other connections get their turn. */
const TURN_BYTES = 64 * 1_024;

/**
 * Takes the lines that a client sends over a WebSocket. Once a second it sends the tally of the connection when that
 * has changed. It ends a connection whose client does not answer pings.
 */
export function servePushStream(
  socket: WebSocket,
  { intake, timer }: { readonly intake: PushIntake; readonly timer: Timer },
): void {
  const tally = createPushTally();
  let line = 0;
  let reported = 0;
  let bytesOfTurn = 0;
  let isAlive = true;
  let cancelTally = (): void => undefined;
  let cancelPing = (): void => undefined;

  const report = (): void => {
    const total = tally.taken + tally.rejected;
    // A client that does not read its tallies gets none until it does.
    if (total !== reported && socket.bufferedAmount < UNREAD_BYTES_MAX) {
      reported = total;
      socket.send(JSON.stringify(tally.answer()));
    }
    cancelTally = timer.after(TALLY_EVERY_MS, report);
  };
  const ping = (): void => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
    cancelPing = timer.after(PING_EVERY_MS, ping);
  };
  const read = (data: Buffer): void => {
    const texts = intake.read("ndjson", {
      take: () => tally.take(),
      reject: (problem, of) => tally.reject(problem, line + of),
    });
    texts.write(data);
    texts.end();
    line += linesOf(data);
    bytesOfTurn += data.length;
    if (bytesOfTurn < TURN_BYTES) return;
    bytesOfTurn = 0;
    socket.pause();
    timer.after(0, () => socket.resume());
  };

  socket.on("message", (data: RawData, isBinary) => {
    isAlive = true;
    if (isBinary || !Buffer.isBuffer(data)) socket.close(1003, "send text");
    else read(data);
  });
  socket.on("pong", () => {
    isAlive = true;
  });
  // An error comes from a frame that violates the protocol or is too large. The library then closes the socket by
  // itself.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    cancelTally();
    cancelPing();
  });
  cancelTally = timer.after(TALLY_EVERY_MS, report);
  cancelPing = timer.after(PING_EVERY_MS, ping);
}

const LINE_FEED = 10;

/** The number of lines in a message. A line feed at the very end begins no further line. */
function linesOf(data: Buffer): number {
  let lines = 1;
  for (let at = data.indexOf(LINE_FEED); at !== -1 && at < data.length - 1; ) {
    lines += 1;
    at = data.indexOf(LINE_FEED, at + 1);
  }
  return lines;
}
