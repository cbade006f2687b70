import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

const TAG = "v1=";

/**
 * Compares the header of a request with the right signature in constant time. Only the canonical base64 spelling of the
 * signature matches. @rule S5.canonical @rule D2.6 decides
 */
export function signatureMatches(header: string, canonical: string, material: KeyObject): boolean {
  const right = TAG + createHmac("sha256", material).update(canonical).digest("base64");
  const expected = Buffer.from(right, "latin1");
  const sent = Buffer.from(header, "latin1");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
