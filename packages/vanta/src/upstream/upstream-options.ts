import type { Clock, Timer } from "@propgate/base";
import { baseUrlOf } from "./base-url.ts";
import { createBoundedHttp } from "./bounded-http.ts";
import { createUpstreamHost, type UpstreamHost } from "./upstream-host.ts";

/** The settings of a client of an upstream. */
export interface UpstreamOptions {
  /** https, or http to a loopback address; without a path. */
  readonly url: string;
  readonly key: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly limits?: Partial<UpstreamLimits>;
}

/** Bounds of the calls to one host. */
export interface UpstreamLimits {
  readonly connectTimeoutMs: number;
  /**
   * The time limit of a read, from its call to the end of its answer, with the wait for a slot. Orders have a time
   * limit of their own.
   */
  readonly readTimeoutMs: number;
  /** The maximum number of reads that run at the same time. */
  readonly readsMax: number;
  /**
   * The maximum number of other calls that run at the same time: orders at the gateway; payouts, limits and pairs at
   * the validator.
   */
  readonly othersMax: number;
  /** How long a connection without a request is kept. */
  readonly idleMs: number;
  readonly failuresMax: number;
  readonly pausesMs: readonly number[];
}

const LIMITS: Omit<UpstreamLimits, "othersMax"> = {
  connectTimeoutMs: 5_000,
  readTimeoutMs: 10_000,
  readsMax: 32,
  idleMs: 4_000,
  failuresMax: 5,
  pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
};

/** The client of an upstream, with the limits of its calls. */
export interface OpenedUpstream {
  readonly host: UpstreamHost;
  readonly limits: UpstreamLimits;
  readonly close: () => void;
}

/**
 * Opens a client of an upstream. `othersMax` applies unless the options have another value.
 * @throws CannotStart when the key cannot be sent, or not to this address
 */
export function openUpstream(
  { url, key, clock, timer, limits: given }: UpstreamOptions,
  othersMax: number,
): OpenedUpstream {
  const limits = { ...LIMITS, othersMax, ...given };
  const { connectTimeoutMs, readsMax, idleMs } = limits;
  const http = createBoundedHttp({
    base: baseUrlOf(url),
    key,
    timer,
    connectTimeoutMs,
    socketsMax: readsMax + limits.othersMax,
    idleMs,
  });
  return { host: createUpstreamHost({ http, clock, limits }), limits, close: () => http.close() };
}
