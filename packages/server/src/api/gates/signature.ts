import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Check } from "./facts.ts";

/** The signature matches what was received. @rule S5.canonical D2.6 */
export const signature: Check<{ readonly signatureMatches: boolean }> = ({ signatureMatches }) =>
  signatureMatches ? null : { error: "badSignature" };

const TAG = "v1=";

/**
 * Compares the header with the one canonical form of the right signature, in constant time. Another
 * base64 spelling of the same bytes does not pass.
 */
export function signatureMatches(header: string, canonical: string, material: KeyObject): boolean {
  const right = TAG + createHmac("sha256", material).update(canonical).digest("base64");
  const expected = Buffer.from(right, "latin1");
  const sent = Buffer.from(header, "latin1");
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
