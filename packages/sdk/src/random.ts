/** Makes a nonce that the key has never used. */
export type NewNonce = () => string;

/** A nonce of 16 random bytes in hex, which do not repeat in the life of a key. @rule S5.R2 */
export const randomNonce: NewNonce = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
