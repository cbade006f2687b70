/** The bytes in lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes in base64, in its standard alphabet and with padding. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** The bytes in base64url, without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of a text in UTF-8. */
export function utf8Of(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The low byte of each UTF-16 unit. Text outside Latin-1 loses its upper bytes, as in programs with that mistake. */
export function latin1Of(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0) & 0xff);
}

/** The text in UTF-16, low byte first, without a byte order mark. */
export function utf16Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    bytes[index * 2] = unit & 0xff;
    bytes[index * 2 + 1] = unit >> 8;
  }
  return bytes;
}

/** The bytes of a text in base64 or base64url. Other characters are skipped, as lenient readers do. */
export function bytesOfBase64(text: string): Uint8Array {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/]/g, "");
  // A single digit at the end has only six bits, which is less than a byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return latin1Of(atob(whole));
}

/** The bytes of a text in hex, up to the first pair that is not hex. */
export function bytesOfHex(text: string): Uint8Array {
  const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0].match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/**
 * True when both have the same bytes. Not for secrets, because the time of the comparison shows the first difference.
 */
export function sameBytes(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return left.length === right?.length && left.every((byte, index) => byte === right[index]);
}
