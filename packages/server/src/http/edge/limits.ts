/**
 * What one client may take of the service before anything is known of it. Each limit has its answer
 * in `refusals.ts`, as far as HTTP still allows one; all of them are below any endpoint and cost a
 * client that keeps them nothing.
 */
export interface EdgeLimits {
  /** Open connections of this process; one more is told so and closed. */
  readonly connectionsMax: number;
  /** Connections that are being told so at the same time; more are closed without a word. */
  readonly refusedAtOnceMax: number;
  /** How long such a connection is kept for its client to read the answer. */
  readonly refusedLingerMs: number;
  /** From the first byte, or the connection's beginning, to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** The same to the end of the body. */
  readonly requestTimeoutMs: number;
  /** Of a request line and its headers. */
  readonly headerBytesMax: number;
  /** A connection without a request is closed after so long. */
  readonly keepAliveMs: number;
  /** An answer of which nothing was taken for so long is given up, and its connection closed. */
  readonly stalledMs: number;
  /** Requests of one connection that are not answered yet. */
  readonly pipelinedMax: number;
}

const LIMITS: EdgeLimits = {
  connectionsMax: 4_000,
  refusedAtOnceMax: 200,
  refusedLingerMs: 500,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  headerBytesMax: 16_384,
  keepAliveMs: 75_000,
  stalledMs: 60_000,
  pipelinedMax: 100,
};
/** How often late requests are looked for; they end at most this much later. */
const TIMEOUT_CHECK_MS = 5_000;

/** The limits, with what the settings or a test say otherwise. */
export function edgeLimits(given: Partial<EdgeLimits> = {}): EdgeLimits {
  const limits = { ...LIMITS, ...given };
  // Headers are a part of the request.
  const headersTimeoutMs = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  return { ...limits, headersTimeoutMs };
}

/** Those of the limits that Node keeps by itself. */
export function nodeLimits(limits: EdgeLimits): {
  readonly maxHeaderSize: number;
  readonly headersTimeout: number;
  readonly connectionsCheckingInterval: number;
} {
  return {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersTimeoutMs),
  };
}
