import { LIMITS } from "./limits.ts";

/**
 * Unix milliseconds of a timestamp header; null when it is malformed: a sign, a point, an exponent,
 * too few digits (seconds) or only zeros. @rule D2.2 decides
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

/** 1 to 128 printable ASCII characters. @rule D2.1 */
export function isNonce(text: string): boolean {
  const { nonceCharactersMin, nonceCharactersMax } = LIMITS;
  if (text.length < nonceCharactersMin || text.length > nonceCharactersMax) return false;
  return /^[\x20-\x7e]+$/.test(text);
}

/** A uuid in its usual spelling, either case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/**
 * True for a string that has the form of a secret. Clients reject it as a key id and never show or
 * send it, because id and secret were swapped. @rule D10.secretAsId decides
 */
export function isSecretShaped(text: string): boolean {
  return /^\s*propgate_sk_/i.test(text);
}
