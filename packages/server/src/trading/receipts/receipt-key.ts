/** A receipt's key and nonce as one text, for maps in memory. */
export function receiptKey({
  keyId,
  nonce,
}: {
  readonly keyId: string;
  readonly nonce: string;
}): string {
  return `${keyId}\n${nonce}`;
}
