/**
 * The SHA-256 of the bytes `before`, if given, followed by the UTF-8 bytes of the text. Callers pass an implementation,
 * because core imports no library.
 */
export type Sha256 = (text: string, before?: Uint8Array) => Uint8Array;
