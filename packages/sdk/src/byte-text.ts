/** Lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The standard alphabet, padded. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function base64UrlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function utf8Of(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Characters outside Latin-1 lose their upper byte, as in programs with that bug. */
export function latin1Of(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0) & 0xff);
}

/** Low byte first, without a byte order mark. */
export function utf16Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    bytes[index * 2] = unit & 0xff;
    bytes[index * 2 + 1] = unit >> 8;
  }
  return bytes;
}

/** Accepts both alphabets and skips other characters, as lenient readers do. */
export function bytesOfBase64(text: string): Uint8Array {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/]/g, "");
  // A single digit at the end is not a byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return latin1Of(atob(whole));
}

/** Reads up to the first pair that is not hex. */
export function bytesOfHex(text: string): Uint8Array {
  const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0].match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** Not for secrets: it ends at the first byte that differs. */
export function sameBytes(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return left.length === right?.length && left.every((byte, index) => byte === right[index]);
}
