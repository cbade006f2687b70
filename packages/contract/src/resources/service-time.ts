import { number, object, time, type Wire } from "../schema.ts";

/** `data` of the unsigned GET time, for clients whose clock is wrong. Additive. */
export const SERVICE_TIME = object("The service's clock.", {
  serverTimeMs: time("The service's current time."),
  skewAllowedMs: number(
    "Maximum difference between a signed timestamp and `serverTimeMs`, in either direction, in milliseconds.",
  ),
});
export type ServiceTime = Wire<typeof SERVICE_TIME>;
