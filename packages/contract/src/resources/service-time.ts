import { number, object, time, type Wire } from "../schema.ts";

/** `data` of the unsigned GET time, for clients whose clock is wrong. Additive. */
export const SERVICE_TIME = object("The service's clock.", {
  serverTimeMs: time("The service's present time."),
  skewAllowedMs: number("Maximum distance of a signed timestamp, in either direction."),
});
export type ServiceTime = Wire<typeof SERVICE_TIME>;
