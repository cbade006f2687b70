/**
 * SHA-256 of the text's UTF-8 bytes, and of the bytes `before` it when they are given. The caller passes it in,
 * because core imports nothing.
 */
export type Sha256 = (text: string, before?: Uint8Array) => Uint8Array;
