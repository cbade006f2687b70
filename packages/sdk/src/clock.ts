/** Where a client reads the time that it signs. */
export type Now = () => number;

/** The machine's own time, milliseconds since the Unix epoch. */
export const systemNow: Now = () => Date.now();

/** The service's time, as far as a client has learnt it. */
export interface ServiceClock {
  /** What is signed. */
  readonly now: Now;
  /** This machine's own, to measure how long ago something was. */
  readonly own: Now;
  /** Takes the service's word, milliseconds since the Unix epoch, for what it is there now. */
  learn(serviceNowMs: number): void;
}

/** Follows `own`, and from the first lesson on keeps the distance it was told. */
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
