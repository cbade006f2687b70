import { SECRET_PREFIX, SECRET_RANDOM_CHARACTERS, secretForm } from "@propgate/contract";
import { DAMAGED_SECRET, DAMAGED_SECRET_FIX } from "../secret.ts";
import { type Check, failedCheck, skippedCheck } from "./check.ts";

/**
 * The checks to report for a damaged secret, which has the prefix but a wrong length, character or checksum, and cannot
 * sign. Null for any other secret.
 */
export function damagedSecretChecks(secret: string): readonly Check[] | null {
  if (secretForm(secret) !== "wrong") return null;
  const reason = secretProblems(secret);
  return [
    failedCheck(
      "signature",
      `${DAMAGED_SECRET}${reason === null ? "" : `; ${reason}`}`,
      DAMAGED_SECRET_FIX,
    ),
    ...["key", "nonce", "scopes"].map((name) => skippedCheck(name, "nothing was signed")),
  ];
}

/** A visible problem of a secret as a sentence; null when there is none. */
export function secretProblems(secret: string): string | null {
  if (secret !== secret.trim()) return "the secret has white space around it";
  if (/^["'].*["']$/.test(secret)) return "the secret has quotes around it";
  if (secret.startsWith("pk_")) return "the secret is a key id: it begins with pk_";
  if (secret.startsWith(SECRET_PREFIX) && secret.length !== SECRET_CHARACTERS) {
    return `the secret has ${secret.length} characters, and should have ${SECRET_CHARACTERS}`;
  }
  return null;
}

/** The length of a secret. Its checksum has six characters. @rule D10.secretForm */
const SECRET_CHARACTERS = SECRET_PREFIX.length + SECRET_RANDOM_CHARACTERS + 6;
