import type { Timer } from "@propgate/base";
import { WebSocket } from "ws";
import type { OpenLink } from "./link.ts";

export interface WebSocketLinkOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A message with more bytes than this cuts the connection. */
  readonly messageBytesMax?: number;
  /** How often the protocol's ping is sent. The answer is a sign of life. */
  readonly pingEveryMs?: number;
  readonly timer: Timer;
}

const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
const UNSENT_BYTES_MAX = 1024 * 1024;
const PING_EVERY_MS = 10_000;

/**
 * Links to a venue over WebSocket. Messages are read as they arrive, and no unread message is kept in the process: a
 * busy process leaves the rest in the socket, which slows the venue down. Compression is off, because decompressed
 * messages would queue.
 */
export function createWebSocketLink(options: WebSocketLinkOptions): OpenLink<string> {
  return (reports) => {
    const socket = new WebSocket(options.url, {
      headers: { ...options.headers },
      followRedirects: false,
      maxPayload: options.messageBytesMax ?? MESSAGE_BYTES_MAX,
      perMessageDeflate: false,
    });
    let isClosing = false;
    let failure: string | null = null;
    let cancelPing = (): void => {};
    const released = new Promise<void>((resolve) => socket.once("close", () => resolve()));

    function ping(): void {
      cancelPing = options.timer.after(options.pingEveryMs ?? PING_EVERY_MS, () => {
        if (socket.readyState !== WebSocket.OPEN) return;
        socket.ping();
        ping();
      });
    }

    socket.on("open", () => {
      if (isClosing) return;
      ping();
      reports.opened();
    });
    socket.on("message", (data) => {
      // The socket's `binaryType` is "nodebuffer", so every message is one buffer.
      if (!isClosing && Buffer.isBuffer(data)) reports.message(data.toString("utf8"), data.length);
    });
    socket.on("pong", () => reports.alive());
    socket.on("ping", () => reports.alive());
    socket.on("error", (error) => {
      failure ??= error.message;
    });
    socket.on("close", (code) => {
      cancelPing();
      if (!isClosing) reports.ended(failure ?? `closed by the venue with code ${code}`);
    });
    return {
      send(text) {
        if (socket.readyState !== WebSocket.OPEN) return;
        if (socket.bufferedAmount > UNSENT_BYTES_MAX) {
          failure ??= "the venue does not read";
          socket.terminate();
        } else socket.send(text);
      },
      close() {
        isClosing = true;
        cancelPing();
        socket.terminate();
        return released;
      },
    };
  };
}
