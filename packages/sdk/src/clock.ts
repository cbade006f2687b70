/** The clock whose time a client signs. */
export type Now = () => number;

/** The machine's own time, milliseconds since the Unix epoch. */
export const systemNow: Now = () => Date.now();

/**
 * Milliseconds since a fixed moment, to measure durations; changes of the clock do not affect it.
 */
export const stopwatch: Now = () => performance.now();

/** The client's estimate of the service's time. */
export interface ServiceClock {
  /** The time to sign. */
  readonly now: Now;
  /** This machine's uncorrected time, to measure ages. */
  readonly own: Now;
  /** Sets the service's present time, milliseconds since the Unix epoch. */
  learn(serviceNowMs: number): void;
}

/** The time of `own`, corrected by the last known difference. */
export function serviceClock(own: Now): ServiceClock {
  let offsetMs = 0;
  return {
    now: () => Math.round(own() + offsetMs),
    own,
    learn: (serviceNowMs) => {
      offsetMs = serviceNowMs - own();
    },
  };
}
