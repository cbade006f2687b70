import { LOOPBACK_BLOCKS } from "@propgate/base";

/**
 * Limits that apply before a client is known. `refusals.ts` has the answer to a request that
 * exceeds a limit, where HTTP still allows an answer. Endpoints do not know these limits.
 */
export interface EdgeLimits {
  /** The maximum number of open connections of this process; one more gets an answer and is closed. */
  readonly connectionsMax: number;
  /**
   * Addresses and blocks whose networks may have more than a quarter of the connections. The addresses of the proxies
   * are added.
   */
  readonly unsharedFrom: readonly string[];
  /** The maximum number of refused connections that get an answer concurrently; more are closed without one. */
  readonly refusedConcurrentMax: number;
  /** How long a refused connection stays open for its client to read the answer. */
  readonly refusedLingerMs: number;
  /** How long an answer that asks the client to retry later is delayed (429 and 503). */
  readonly refusalHoldMs: number;
  /** The maximum number of answers that are delayed concurrently; beyond it the connection closes after the answer. */
  readonly refusalsHeldMax: number;
  /** Timeout from the first byte, or the start of the connection, to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** Timeout from the start of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** The maximum number of bytes of a request line with its headers. */
  readonly headerBytesMax: number;
  /** Timeout of an idle connection. */
  readonly keepAliveMs: number;
  /** Timeout of an answer that the client does not read; then the connection closes. */
  readonly stalledMs: number;
  /** The maximum number of unanswered requests of one connection, counting a signed request that has just arrived. */
  readonly pipelinedMax: number;
  /** The maximum for an unsigned request (documents, pages, calls of people), which counts only unsigned requests. */
  readonly pipelinedUnsignedMax: number;
  /** The maximum memory in bytes of all bodies that are being received, without the first 4 KiB of each. */
  readonly bodyBytesInFlightMax: number;
  /** The maximum of one network (an IPv4 address, an IPv6 /64) within `bodyBytesInFlightMax`. */
  readonly bodyBytesPerNetworkMax: number;
  /** At a stop: time without a request after which a connection closes. */
  readonly stopQuietMs: number;
  /** At a stop: timeout of a client that does not complete its request, or does not read its answer. */
  readonly stopClientMs: number;
  /** At a stop: timeout of every connection. */
  readonly stopMs: number;
}

const LIMITS: EdgeLimits = {
  connectionsMax: 4_000,
  unsharedFrom: LOOPBACK_BLOCKS,
  refusedConcurrentMax: 200,
  refusedLingerMs: 500,
  refusalHoldMs: 1_000,
  refusalsHeldMax: 1_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  headerBytesMax: 16_384,
  keepAliveMs: 75_000,
  stalledMs: 60_000,
  pipelinedMax: 100,
  pipelinedUnsignedMax: 2,
  bodyBytesInFlightMax: 32 * 1_048_576,
  bodyBytesPerNetworkMax: 8 * 1_048_576,
  stopQuietMs: 1_000,
  stopClientMs: 5_000,
  stopMs: 20_000,
};
/** The interval at which requests are checked for a timeout. A request ends at most this long after its timeout. */
const TIMEOUT_CHECK_MS = 5_000;

/** The limits, with the overrides of the settings or a test. */
export function edgeLimits(given: Partial<EdgeLimits> = {}): EdgeLimits {
  const limits = { ...LIMITS, ...given };
  // Headers are part of the request, so their timeout is at most that of the request.
  const headersTimeoutMs = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs);
  return { ...limits, headersTimeoutMs };
}

/** The limits that Node itself enforces. */
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
