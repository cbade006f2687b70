/**
 * SHA-256 and HMAC-SHA256, from WebCrypto or from Node. The functions of WebCrypto are asynchronous, those of Node are
 * synchronous.
 */
export interface Digests {
  sha256(bytes: Uint8Array): Promise<Uint8Array> | Uint8Array;
  /** A function that signs messages with one key of any length. */
  hmac(key: Uint8Array): Promise<Mac> | Mac;
}

/** Computes the HMAC of a message under one key. */
export type Mac = (message: Uint8Array) => Promise<Uint8Array> | Uint8Array;

/** The digests of WebCrypto, which Node, browsers, workers and other runtimes have. */
export const webDigests: Digests = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", ownBytes(bytes))),
  async hmac(key) {
    // WebCrypto rejects an empty key. HMAC pads keys with zeros, so one zero byte is the same key.
    const material = key.length === 0 ? new Uint8Array(1) : ownBytes(key);
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", material, algorithm, false, ["sign"]);
    return async (message) =>
      new Uint8Array(await crypto.subtle.sign("HMAC", imported, ownBytes(message)));
  },
};

/** A copy, because WebCrypto rejects views of shared memory. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
