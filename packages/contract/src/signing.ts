import { SIGNATURE_VERSION } from "./version.ts";

/** SHA-256 of nothing, lower-case hex: the body part of every request without a body. @rule S5.canonical */
export const EMPTY_BODY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What stands before the base64 in the signature header. */
export const SIGNATURE_PREFIX = `${SIGNATURE_VERSION}=`;

/** What the canonical string is made of, beside its version tag. */
export interface CanonicalParts {
  readonly method: string;
  /** Path and query exactly as sent, percent escapes untouched. */
  readonly target: string;
  /** The header's text, not a number made from it. */
  readonly timestamp: string;
  readonly nonce: string;
  /** Lower-case hex; `EMPTY_BODY_SHA256` without a body. Callers hash: there is no crypto here. */
  readonly bodySha256: string;
}

/** The text under the HMAC: six parts, a line feed between them, none at the end. @rule S5.canonical */
export function canonicalString(parts: CanonicalParts): string {
  const { method, target, timestamp, nonce, bodySha256 } = parts;
  return [SIGNATURE_VERSION, method.toUpperCase(), target, timestamp, nonce, bodySha256].join("\n");
}

/** The value of the signature header. `base64` is the standard alphabet, padded. */
export function signatureHeader(base64: string): string {
  return `${SIGNATURE_PREFIX}${base64}`;
}

/**
 * The base64 of a signature header, or null. Only the canonical spelling of 32 bytes passes: the
 * tag, the standard alphabet, the padding, and no bits set beyond the last byte. @rule D2.6
 */
export function parseSignature(header: string): string | null {
  return /^v1=[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(header)
    ? header.slice(SIGNATURE_PREFIX.length)
    : null;
}

/** The six parts by name, in their order. */
export const CANONICAL_PARTS = [
  "version",
  "method",
  "target",
  "timestamp",
  "nonce",
  "bodySha256",
] as const;
export type CanonicalPart = (typeof CANONICAL_PARTS)[number];

export interface CanonicalDifference {
  readonly part: CanonicalPart;
  readonly left: string;
  readonly right: string;
}

export type CanonicalComparison =
  | { readonly kind: "same" }
  /** One of the two has not six lines: a part holds a line feed, or one stands at the end. */
  | { readonly kind: "shape"; readonly leftLines: number; readonly rightLines: number }
  | { readonly kind: "different"; readonly differences: readonly CanonicalDifference[] };

/** Says which of the six parts of two canonical strings differ. */
export function compareCanonical(left: string, right: string): CanonicalComparison {
  if (left === right) return { kind: "same" };
  const leftLines = left.split("\n");
  const rightLines = right.split("\n");
  const six = CANONICAL_PARTS.length;
  if (leftLines.length !== six || rightLines.length !== six) {
    return { kind: "shape", leftLines: leftLines.length, rightLines: rightLines.length };
  }
  const differences = CANONICAL_PARTS.map((part, at) => ({
    part,
    left: leftLines[at] ?? "",
    right: rightLines[at] ?? "",
  })).filter((one) => one.left !== one.right);
  return { kind: "different", differences };
}
