import type { Check, Credentials } from "./facts.ts";

const NONCE = /^[\x20-\x7e]{1,128}$/;

/** All four headers are there, and the nonce is 1 to 128 printable ASCII characters. @rule S5 D2.1 */
export const credentials: Check<{ readonly credentials: Credentials }> = ({ credentials: sent }) =>
  sent.keyId !== "" && sent.timestamp !== "" && sent.signature !== "" && NONCE.test(sent.nonce)
    ? null
    : { error: "missing_credentials" };
