/** Exact products of decimals, which check a rounding without the errors of binary arithmetic. */

interface Rational {
  readonly numerator: bigint;
  /** A power of ten, or one. */
  readonly denominator: bigint;
}

/** The exact value of a decimal as it is written: 0.85 is 85 hundredths. */
function rationalOf(decimal: number): Rational {
  const [mantissa = "0", exponent = "0"] = String(decimal).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0
    ? { numerator: digits, denominator: 10n ** BigInt(places) }
    : { numerator: digits * 10n ** BigInt(-places), denominator: 1n };
}

/** Whether the integer is the nearest one to the product. When two are equally near, both are accepted. */
export function isNearestProduct(whole: number, factors: readonly number[]): boolean {
  if (!Number.isSafeInteger(whole)) return false;
  const { numerator, denominator } = factors.map(rationalOf).reduce((one, other) => ({
    numerator: one.numerator * other.numerator,
    denominator: one.denominator * other.denominator,
  }));
  const away = BigInt(whole) * denominator - numerator;
  return 2n * (away < 0n ? -away : away) <= denominator;
}
