import { isWithinSkew, parseTimestamp } from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { Check, Credentials } from "./facts.ts";

/**
 * The timestamp is in whole milliseconds; seconds, ISO strings and decimals are rejected.
 * @rule S5.R1 D2.2
 */
export const checkTimestampForm: Check<{ readonly credentials: Credentials }> = ({
  credentials,
}) => (parseTimestamp(credentials.timestamp) === null ? { error: "invalidTimestamp" } : null);

/**
 * Rejects a timestamp more than five minutes from the service's clock, in either direction. @rule D2.3
 * @rule S5.R1 decides
 */
export const checkTimestampSkew: Check<{
  readonly credentials: Credentials;
  readonly now: UnixMs;
}> = ({ credentials, now }) =>
  isWithinSkew(Number(credentials.timestamp), now) ? null : { error: "timestampInvalid" };
