import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** A received request. `verified` is true when its signature is right for the server's secret. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly nonce: string;
  readonly timestamp: string;
  readonly body: string;
  readonly contentType: string | null;
  readonly verified: boolean;
}

/** An answer that the server gives. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, or the function that makes it for a request. `"hang up"` closes the connection without an answer. */
export type Answer = Reply | ((request: ReceivedRequest) => Reply) | "hang up";

/** A server that checks signatures, with the requests that it has received. */
export interface VerifyingServer {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * Starts a server on a free port that checks signatures with its own implementation of the specification. It answers
 * with `replies` one after the other, and then repeats the last one. A trading request whose signature is missing or
 * wrong gets 401 `Bad signature`.
 */
export async function startVerifyingServer(settings: {
  readonly secret: string;
  readonly replies: readonly Answer[];
  readonly brand?: string;
}): Promise<VerifyingServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const seen = inspect(request, Buffer.concat(chunks), settings);
      const reply = settings.replies[Math.min(received.length, settings.replies.length - 1)];
      received.push(seen);
      if (reply === "hang up" || reply === undefined) {
        request.socket.destroy();
        return;
      }
      const isAnswered = seen.verified || !isSigned(seen.target);
      const given = typeof reply === "function" ? reply(seen) : reply;
      const answer = isAnswered ? given : BAD_SIGNATURE;
      response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** True for a trading endpoint. The service's time and health are unsigned. */
function isSigned(target: string): boolean {
  return target.startsWith("/api/v1/trading/");
}

const BAD_SIGNATURE: Reply = { status: 401, body: { error: "Bad signature" } };

function inspect(
  request: IncomingMessage,
  body: Buffer,
  settings: { readonly secret: string; readonly brand?: string },
): ReceivedRequest {
  const prefix = `x-${(settings.brand ?? "Service").toLowerCase()}-`;
  const header = (name: string): string => String(request.headers[prefix + name] ?? "");
  const method = request.method ?? "";
  const target = request.url ?? "";
  const hash = createHash("sha256").update(body).digest("hex");
  const message = `v1\n${method}\n${target}\n${header("timestamp")}\n${header("nonce")}\n${hash}`;
  const expected = `v1=${createHmac("sha256", settings.secret).update(message).digest("base64")}`;
  return {
    method,
    target,
    nonce: header("nonce"),
    timestamp: header("timestamp"),
    body: body.toString("utf8"),
    contentType: request.headers["content-type"] ?? null,
    verified: header("key-id") !== "" && header("signature") === expected,
  };
}
