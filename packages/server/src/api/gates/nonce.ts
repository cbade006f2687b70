import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/** Rejects a nonce that this key has used before, with 409. @rule S5.R2 @rule D2.7 decides */
export const checkNonce: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.isFresh ? null : { error: "nonceUsed" };
