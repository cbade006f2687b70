import type { UnixMs } from "@propgate/core";
import type { Check, Credentials } from "./facts.ts";

const WHOLE_MS = /^[0-9]{12,16}$/;
const SKEW_MS = 5 * 60_000;

type Needs = { readonly credentials: Credentials; readonly now: UnixMs };

/** Whole milliseconds: seconds, ISO strings and decimals are no timestamp. @rule S5.R1 D2.2 */
export const timestampForm: Check<Needs> = ({ credentials }) =>
  WHOLE_MS.test(credentials.timestamp) ? null : { error: "invalid_timestamp" };

/** Within five minutes of the service's clock, inclusive, either way. @rule S5.R1 D2.3 */
export const timestampSkew: Check<Needs> = ({ credentials, now }) =>
  Math.abs(Number(credentials.timestamp) - now) <= SKEW_MS ? null : { error: "timestamp_invalid" };
