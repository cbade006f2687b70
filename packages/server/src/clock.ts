import { type UnixMs, unixMs } from "@propgate/core";

/** Where the service reads the time. */
export interface Clock {
  now(): UnixMs;
}

/** The machine's own time; with `random.ts`, `config.ts` the only readers of the world outside. */
export const systemClock: Clock = {
  now: () => unixMs(Date.now()),
};
