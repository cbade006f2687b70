/** The attack of one process on one port of this machine. */
export interface AttackPlan {
  readonly port: number;
  /** The address of this machine from which the attack comes; 127.0.0.1 unless given. */
  readonly from?: string;
  readonly connections: number;
  readonly forMs: number;
  /**
   * `burst` opens all connections anew every second, sends all bytes of each immediately, and reads no answer. `loop`
   * sends one request after the other on each connection, each after the answer to the previous one.
   */
  readonly how: "burst" | "loop";
  /** Each connection sends `head`, and then `piece` as often as `times` says. */
  readonly head: string;
  readonly piece?: string;
  readonly times?: number;
  /** The key and request with which each request of a loop is signed anew. */
  readonly sign?: AttackSigner;
}

export interface AttackSigner {
  readonly keyId: string;
  readonly secret: string;
  readonly target: string;
  readonly body: string;
}

/** A burst of one-byte chunks: 120 kB of them on each of 400 connections, every second. */
export const ONE_BYTE_CHUNKS = {
  how: "burst",
  connections: 400,
  piece: "1\r\n{\r\n",
  times: 20_000,
} as const;

/** The head of an HTTP request with the given header lines. */
export function requestHead(method: string, target: string, ...lines: readonly string[]): string {
  return `${[`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", ...lines].join("\r\n")}\r\n\r\n`;
}

/** The head of a POST with a chunked JSON body. */
export function chunkedPostHead(target: string, ...lines: readonly string[]): string {
  const chunks = ["Transfer-Encoding: chunked", "Content-Type: application/json"];
  return requestHead("POST", target, ...chunks, ...lines);
}
