/** A clock, in milliseconds since the Unix epoch or since another fixed moment. */
export type Now = () => number;

/** This machine's time, milliseconds since the Unix epoch. */
export const systemNow: Now = () => Date.now();

/** Milliseconds since a fixed moment, for measuring durations. Changes of the machine's clock do not affect it. */
export const monotonicNow: Now = () => performance.now();

/** The client's estimate of the service's time. */
export interface ServiceClock {
  /** The time to sign, in milliseconds since the Unix epoch. */
  readonly now: Now;
  /** This machine's own time without a correction, for measuring ages. */
  readonly own: Now;
  /** Sets the service's present time, milliseconds since the Unix epoch. */
  learn(serviceNowMs: number): void;
}

/**
 * The service's time: the time of `own`, corrected by the last learned difference between `own` and the service's
 * clock.
 */
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
