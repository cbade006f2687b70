import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listenerPort } from "../../../base/src/listener-port.ts";

/** One request as its bytes arrived. */
export interface RawRequest {
  /** The request line, such as `GET /limits HTTP/1.1`. */
  readonly line: string;
  readonly text: string;
  /** The number of the connection, counted from 1. */
  readonly connection: number;
}

/** A server whose answers are bytes, so that it can send invalid HTTP. */
export interface RawServer {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** How each connection ended, as Node names it (such as `end` or `ECONNRESET`), in the order in which they ended. */
  readonly ends: readonly string[];
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server that calls `answer` for each complete request. It is closed at the end of the test. */
export async function startRawServer(
  answer: (socket: Socket, request: RawRequest) => void,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const ends: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (!isComplete(text)) return;
      const request = { line: text.slice(0, text.indexOf("\r\n")), text, connection };
      text = "";
      requests.push(request);
      answer(socket, request);
    });
    socket.on("end", () => ends.push("end"));
    socket.on("error", (cause: NodeJS.ErrnoException) => ends.push(cause.code ?? cause.message));
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): Promise<void> => closeServer(server, sockets);
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${listenerPort(server.address())}`,
    requests,
    ends,
    connections: () => connections,
    close,
  };
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}

function isComplete(text: string): boolean {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return false;
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return text.length >= head + 4 + length;
}

/** A complete answer; `headers` are further header lines. */
export function rawAnswer(
  body: string | Uint8Array,
  { status = "200 OK", headers = [] }: { status?: string; headers?: readonly string[] } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    `Content-Length: ${bytes.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]);
}
