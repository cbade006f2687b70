import { createHash, createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";

/** A key that signs requests. A load uses many keys in turn. */
export interface LoadKey {
  readonly keyId: string;
  readonly secret: string;
}

/** A load: the request, how often it is sent over how many connections, and the keys that sign it. */
export interface LoadPlan {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body: string;
  readonly keys: readonly LoadKey[];
  readonly requests: number;
}

/** The measurements of a load. Latencies are from the sending of a request to its whole answer. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Sends signed requests over kept-alive connections. Each connection waits for the answer before it sends the next one.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = signedRequests(plan);
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: plan.connections }, () =>
      onConnection(plan, {
        next: () => requests[next++],
        answered: (status, ms) => {
          latencies.push(ms);
          statuses[status] = (statuses[status] ?? 0) + 1;
        },
      }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: requests.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    statuses,
  };
}

/** The bytes of each request, signed in advance. Each has its own nonce, and the keys take turns. */
export function signedRequests(plan: Omit<LoadPlan, "connections">): readonly Buffer[] {
  const bodyHash = createHash("sha256").update(plan.body).digest("hex");
  const timestamp = String(Date.now());
  const run = process.hrtime.bigint().toString(36);
  return Array.from({ length: plan.requests }, (_, index) => {
    const key = plan.keys[index % plan.keys.length];
    if (key === undefined) throw new Error("a load needs keys");
    const nonce = `${run}-${index}`;
    const canonical = `v1\n${plan.method}\n${plan.target}\n${timestamp}\n${nonce}\n${bodyHash}`;
    const signature = createHmac("sha256", key.secret).update(canonical).digest("base64");
    const content =
      plan.method === "POST"
        ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(plan.body)}\r\n`
        : "";
    return Buffer.from(
      `${plan.method} ${plan.target} HTTP/1.1\r\nHost: ${plan.host}\r\n${content}` +
        `X-Service-Key-Id: ${key.keyId}\r\nX-Service-Timestamp: ${timestamp}\r\n` +
        `X-Service-Nonce: ${nonce}\r\nX-Service-Signature: v1=${signature}\r\n\r\n${plan.body}`,
    );
  });
}

interface Source {
  next(): Buffer | undefined;
  answered(status: string, ms: number): void;
}

/**
 * Calls `answered` with the status of each answer. The connection must have at most one unanswered request at a time.
 */
export function onEachAnswer(socket: Socket, answered: (status: string) => void): void {
  let held = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    held += chunk;
    const head = held.indexOf("\r\n\r\n");
    if (head === -1) return;
    const length = /content-length: (\d+)/i.exec(held.slice(0, head));
    if (held.length < head + 4 + Number(length?.[1] ?? 0)) return;
    const status = held.slice(9, 12);
    held = "";
    answered(status);
  });
}

function onConnection(plan: LoadPlan, source: Source): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(plan.port, plan.host);
    socket.setNoDelay(true);
    let sentAt = 0;
    const send = (): void => {
      const request = source.next();
      if (request === undefined) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => resolve());
    onEachAnswer(socket, (status) => {
      source.answered(status, performance.now() - sentAt);
      send();
    });
  });
}
