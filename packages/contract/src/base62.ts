/** The digits of base 62. The index of a digit is its value. */
export const BASE62_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The last `length` digits of a whole number, most significant first, with leading zeros. */
export function toBase62(value: number, length: number): string {
  let rest = value;
  let digits = "";
  while (digits.length < length) {
    digits = BASE62_DIGITS.charAt(rest % BASE62_DIGITS.length) + digits;
    rest = Math.floor(rest / BASE62_DIGITS.length);
  }
  return digits;
}

/** The number that a text of base-62 digits writes. Any other character gives a wrong number. */
export function fromBase62(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * BASE62_DIGITS.length + BASE62_DIGITS.indexOf(digit);
  return value;
}
