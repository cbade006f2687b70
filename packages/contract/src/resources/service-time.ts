import { number, object, time, type Wire } from "../schema.ts";

/** `data` of the unsigned GET time, for clients whose clock is off. Additive. */
export const SERVICE_TIME = object("The service's clock.", {
  serverTimeMs: time("Now."),
  skewAllowedMs: number("How far a signed timestamp may be from it, either way."),
});
export type ServiceTime = Wire<typeof SERVICE_TIME>;
