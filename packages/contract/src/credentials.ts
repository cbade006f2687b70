import { LIMITS } from "./limits.ts";

/**
 * Unix milliseconds of a timestamp header. Null unless the header is 12 to 16 decimal digits and not all zeros, so a
 * sign, a point, an exponent or a time in seconds is malformed. @rule D2.2 decides
 */
export function parseTimestamp(text: string): number | null {
  const { timestampDigitsMin, timestampDigitsMax } = LIMITS;
  if (text.length < timestampDigitsMin || text.length > timestampDigitsMax) return null;
  if (!/^[0-9]+$/.test(text)) return null;
  const ms = Number(text);
  return ms > 0 ? ms : null;
}

/** True when the clocks differ by at most the allowed skew, in either direction. @rule D2.3 decides */
export function isWithinSkew(timestampMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - timestampMs) <= LIMITS.timestampSkewMs;
}

/** True for 1 to 128 printable ASCII characters. @rule D2.1 */
export function isNonce(text: string): boolean {
  const { nonceCharactersMin, nonceCharactersMax } = LIMITS;
  if (text.length < nonceCharactersMin || text.length > nonceCharactersMax) return false;
  return /^[\x20-\x7e]+$/.test(text);
}

/** True for a uuid in its usual spelling, in either case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/**
 * True for a string that begins like a secret: of this service, or of another service with the API of the
 * specification. Clients reject such a string as a key id and never show or send it, because id and secret were
 * swapped. @rule D10.secretAsId decides
 */
export function isSecretShaped(text: string): boolean {
  return /^\s*(?:propgate_)?sk_/i.test(text);
}
