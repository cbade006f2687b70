export const SIGNATURE_TAG = "v1";

export function canonicalString(parts: {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodySha256: string;
}): string {
  const { method, target, timestamp, nonce, bodySha256 } = parts;
  return [SIGNATURE_TAG, method, target, timestamp, nonce, bodySha256].join("\n");
}

export function credentialHeaders(
  credentials: { keyId: string; timestamp: string; nonce: string; signature: string },
  brand = "Service",
): Record<string, string> {
  return {
    [`X-${brand}-Key-Id`]: credentials.keyId,
    [`X-${brand}-Timestamp`]: credentials.timestamp,
    [`X-${brand}-Nonce`]: credentials.nonce,
    [`X-${brand}-Signature`]: credentials.signature,
  };
}
