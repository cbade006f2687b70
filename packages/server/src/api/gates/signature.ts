import type { Check } from "./facts.ts";

/** Rejects a signature that does not match the received bytes. @rule S5.canonical D2.6 */
export const checkSignature: Check<{ readonly signatureMatches: boolean }> = ({
  signatureMatches,
}) => (signatureMatches ? null : { error: "badSignature" });
