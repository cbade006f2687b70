import { toBase62 } from "./base62.ts";

/** The prefix of a key's secret. */
export const SECRET_PREFIX = "propgate_sk_";

/** The prefix of an operator's token. */
export const OPERATOR_TOKEN_PREFIX = "propgate_op_";

/** The prefix of a kind of secret. */
export type SecretPrefix = typeof SECRET_PREFIX | typeof OPERATOR_TOKEN_PREFIX;

/** Characters of the random part: 32 bytes in base64url without padding. */
export const SECRET_RANDOM_CHARACTERS = 43;

const CHECKSUM_CHARACTERS = 6; // six base-62 digits hold every CRC-32: 62 ** 6 > 2 ** 32

/**
 * Six base-62 digits (0-9, A-Z, a-z), most significant first, of the CRC-32 of `text`, which is ASCII.
 * The CRC is the one of zlib, gzip and PNG. @rule D10.secretForm
 */
export function secretChecksum(text: string): string {
  return toBase62(crc32(text), CHECKSUM_CHARACTERS);
}

/**
 * A secret: the prefix, the 43 random characters and their checksum. @throws RangeError when `random` is not 43
 * url-safe characters.
 * @rule D10.secretForm
 */
export function makeSecret(prefix: SecretPrefix, random: string): string {
  if (!RANDOM.test(random)) throw new RangeError("the random part must be 43 url-safe characters");
  return prefix + random + secretChecksum(random);
}

/**
 * `right`: prefix, length and checksum are right. `wrong`: the text contains the prefix but is damaged: mistyped,
 * truncated or with extra characters. `other`: the text has no prefix, so it is a secret of another service or none.
 */
export type SecretForm = "right" | "wrong" | "other";

/**
 * The form of a text that should be a secret: `right`, `wrong` when it has the prefix but not the characters or the
 * checksum, and `other` without the prefix. It detects a damaged secret without a request to the service.
 * @rule D10.secretForm decides
 */
export function secretForm(text: string, prefix: SecretPrefix = SECRET_PREFIX): SecretForm {
  if (!text.toLowerCase().includes(prefix)) return "other";
  if (!text.startsWith(prefix)) return "wrong";
  const random = text.slice(prefix.length, -CHECKSUM_CHARACTERS);
  const checksum = text.slice(-CHECKSUM_CHARACTERS);
  return RANDOM.test(random) && checksum === secretChecksum(random) ? "right" : "wrong";
}

const RANDOM = new RegExp(`^[A-Za-z0-9_-]{${SECRET_RANDOM_CHARACTERS}}$`);

/** The CRC-32 of zlib for an ASCII text. It goes bit by bit without a table, because a secret is short. */
function crc32(text: string): number {
  let crc = 0xff_ff_ff_ff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xed_b8_83_20 : 0);
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}
