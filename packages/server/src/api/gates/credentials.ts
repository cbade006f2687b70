import { isNonce } from "@propgate/contract";
import type { Check, Credentials } from "./facts.ts";

/**
 * Rejects a request unless all four headers are present and not empty, and the nonce is 1 to 128 printable ASCII
 * characters. @rule S5.headers D2.1 decides
 */
export const checkCredentials: Check<{ readonly credentials: Credentials }> = ({
  credentials: sent,
}) =>
  sent.keyId !== "" && sent.timestamp !== "" && sent.signature !== "" && isNonce(sent.nonce)
    ? null
    : { error: "missingCredentials" };
