/** Makes nonces. */
export type NewNonce = () => string;

/** 16 random bytes in hex, which never repeat in the life of a key. @rule S5.R2 */
export const randomNonce: NewNonce = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
