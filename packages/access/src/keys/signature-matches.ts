import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

const TAG = "v1=";

/**
 * Compares the header with the one canonical form of the right signature, in constant time. Another
 * base64 spelling of the same bytes does not pass. @rule S5.canonical @rule D2.6 decides
 */
export function signatureMatches(header: string, canonical: string, material: KeyObject): boolean {
  const right = TAG + createHmac("sha256", material).update(canonical).digest("base64");
  const expected = Buffer.from(right, "latin1");
  const sent = Buffer.from(header, "latin1");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
