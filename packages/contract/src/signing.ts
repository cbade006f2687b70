import { SIGNATURE_VERSION } from "./version.ts";

/**
 * The SHA-256 of an empty body in lower-case hexadecimal: the last part of the canonical string of a request without a
 * body. @rule S5.canonical
 */
export const EMPTY_BODY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The prefix of the signature header, before the base64. */
const SIGNATURE_PREFIX = `${SIGNATURE_VERSION}=`;

/** The parts of the canonical string after its version tag. */
export interface CanonicalParts {
  readonly method: string;
  /** Path and query exactly as sent, with their percent escapes. */
  readonly target: string;
  /** The text of the timestamp header exactly as sent, not converted to a number. */
  readonly timestamp: string;
  readonly nonce: string;
  /**
   * The SHA-256 of the body in lower-case hexadecimal; `EMPTY_BODY_SHA256` without a body. The caller computes it,
   * because this package has no cryptography.
   */
  readonly bodySha256: string;
}

/**
 * The string that the HMAC signs: `v1`, the method in upper case, the target as sent, the timestamp, the nonce and the
 * hash of the body, with a line feed between them and none at the end. @rule S5.canonical decides
 */
export function canonicalString(parts: CanonicalParts): string {
  const { method, target, timestamp, nonce, bodySha256 } = parts;
  return [SIGNATURE_VERSION, method.toUpperCase(), target, timestamp, nonce, bodySha256].join("\n");
}

/** The value of the signature header. `base64` is the HMAC in the standard base64 alphabet, with padding. */
export function signatureHeader(base64: string): string {
  return `${SIGNATURE_PREFIX}${base64}`;
}

/** The names of the six parts of the canonical string, in their order. */
export const CANONICAL_PARTS = [
  "version",
  "method",
  "target",
  "timestamp",
  "nonce",
  "bodySha256",
] as const;
export type CanonicalPart = (typeof CANONICAL_PARTS)[number];
