/** Reads the time in milliseconds since 1970. */
export interface Clock {
  now(): number;
}

/** The machine's time; the only reader of the time in this package. */
export const machineClock: Clock = { now: () => Date.now() };

/** Resolves after `ms` milliseconds. A wait does not keep the process alive; a listener does. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
