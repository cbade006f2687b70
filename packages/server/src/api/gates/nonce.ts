import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

/** This key has never used the nonce. @rule S5.R2 @rule D2.7 decides */
export const nonce: Check<{ readonly admission: Admission }> = ({ admission }) =>
  admission.fresh ? null : { error: "nonceUsed" };
