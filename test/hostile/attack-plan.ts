/** The attack of one process on one port of this machine. */
export interface AttackPlan {
  readonly port: number;
  /** The address of this machine that it comes from; 127.0.0.1 unless given. */
  readonly from?: string;
  readonly connections: number;
  readonly forMs: number;
  /**
   * `burst` opens all connections again every second, sends all bytes of each immediately, and
   * reads nothing. `loop` sends one request after the other on each connection, each after the last
   * answer.
   */
  readonly how: "burst" | "loop";
  /** The bytes of each connection: `head`, then `piece` this many times. */
  readonly head: string;
  readonly piece?: string;
  readonly times?: number;
  /** Signs each request of a loop anew. */
  readonly sign?: AttackSigner;
}

export interface AttackSigner {
  readonly keyId: string;
  readonly secret: string;
  readonly target: string;
  readonly body: string;
}

/** One-byte chunks: 120 kB of them on each of 400 connections, every second. */
export const CRUMBS = {
  how: "burst",
  connections: 400,
  piece: "1\r\n{\r\n",
  times: 20_000,
} as const;

/** The head of a request with the given lines. */
export function head(method: string, target: string, ...lines: readonly string[]): string {
  return `${[`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", ...lines].join("\r\n")}\r\n\r\n`;
}

/** The head of a request with a chunked body. */
export function crumbled(target: string, ...lines: readonly string[]): string {
  const chunks = ["Transfer-Encoding: chunked", "Content-Type: application/json"];
  return head("POST", target, ...chunks, ...lines);
}
