import type { Check } from "./facts.ts";

/** The signature matches the bytes that were received. @rule S5.canonical D2.6 */
export const signature: Check<{ readonly signatureMatches: boolean }> = ({ signatureMatches }) =>
  signatureMatches ? null : { error: "badSignature" };
