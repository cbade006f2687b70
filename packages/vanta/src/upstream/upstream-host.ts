import type { Clock, Slots } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  IterableBackoff,
  isBrokenCircuitError,
} from "cockatiel";
import type { Literal } from "../python-literal.ts";
import { isUnsuccessful } from "./answer.ts";
import type { BoundedHttp, HttpCall } from "./bounded-http.ts";
import type { UpstreamHealth, UpstreamResult } from "./port.ts";

/** One host behind a circuit breaker. */
export interface UpstreamHost {
  /**
   * Waits for a slot, then sends the call, unless calls are paused. The wait and the call end when the signal aborts.
   */
  call(call: HttpCall, slots: Slots, signal: AbortSignal): Promise<UpstreamResult<Literal>>;
  health(): UpstreamHealth;
}

/** When calls to a host are paused after failures, and for how long. */
export interface PauseLimits {
  /** The number of failures in a row that pauses the calls. */
  readonly failuresMax: number;
  /** The lengths of pauses that follow each other; the last one repeats. */
  readonly pausesMs: readonly number[];
}

/**
 * Creates a host behind a circuit breaker. A call fails when it gets no answer, or a 5xx that does not concern this
 * request alone. After `failuresMax` failures in a row, calls are rejected here for a pause, without being sent. Then
 * one call tries the host, and only its success ends the pause. Calls in flight always continue.
 */
export function createUpstreamHost(options: {
  readonly http: BoundedHttp;
  readonly clock: Clock;
  readonly limits: PauseLimits;
}): UpstreamHost {
  const { http, clock, limits } = options;
  const breaker = circuitBreaker(handleWhenResult(isMarkedFailure), {
    breaker: new ConsecutiveBreaker(limits.failuresMax),
    halfOpenAfter: new IterableBackoff(limits.pausesMs),
  });
  let inFlight = 0;
  let unreachableSinceMs: UnixMs | null = null;

  const send = async (call: HttpCall, signal: AbortSignal) => {
    inFlight += 1;
    try {
      const answer = await http.send(call, signal);
      const isFailure = isHostFailure(answer);
      unreachableSinceMs = isFailure ? (unreachableSinceMs ?? clock.now()) : null;
      return { answer, isFailure };
    } finally {
      inFlight -= 1;
    }
  };
  const sendUnlessPaused = async (call: HttpCall, signal: AbortSignal) => {
    // The circuit breaker library would make further calls wait for the one that tries the host.
    if (breaker.state === CircuitState.HalfOpen) return PAUSED;
    try {
      return (await breaker.execute(() => send(call, signal))).answer;
    } catch (cause) {
      if (isBrokenCircuitError(cause)) return PAUSED;
      throw cause;
    }
  };
  return {
    call: (call, slots, signal) => runInSlot(slots, signal, () => sendUnlessPaused(call, signal)),
    health: () => ({
      reachable: unreachableSinceMs === null,
      unreachableSinceMs,
      callsInFlight: inFlight,
      isPaused: breaker.state !== CircuitState.Closed,
    }),
  };
}

/** The outcome of every call while calls are paused. */
export const PAUSED = notSentResult("calls are paused after failures");
const NO_SLOT = notSentResult("no slot was free in time");

function notSentResult(why: string): UpstreamResult<Literal> {
  return { ok: false, failure: { kind: "unreachable", wasSent: false, why } };
}

/**
 * True when the answer is a failure of the host. A 5xx with `success` false is not: it is the gateway's answer about
 * one order.
 */
function isHostFailure(answer: UpstreamResult<Literal>): boolean {
  if (answer.ok || answer.failure.kind === "unreadable") return false;
  if (answer.failure.kind === "unreachable") return true;
  const { status, body } = answer.failure;
  return status >= 500 && !isUnsuccessful(body);
}

function isMarkedFailure(result: unknown): boolean {
  return (
    typeof result === "object" &&
    result !== null &&
    "isFailure" in result &&
    result.isFailure === true
  );
}

/** Runs the work in a slot. When the signal aborts before a slot is free, the work does not run. */
function runInSlot(
  slots: Slots,
  signal: AbortSignal,
  work: () => Promise<UpstreamResult<Literal>>,
): Promise<UpstreamResult<Literal>> {
  if (signal.aborted) return Promise.resolve(NO_SLOT);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(NO_SLOT);
    signal.addEventListener("abort", onAbort, { once: true });
    const start = async (): Promise<void> => {
      signal.removeEventListener("abort", onAbort);
      resolve(signal.aborted ? NO_SLOT : await work());
    };
    slots.run(start).catch(reject);
  });
}
