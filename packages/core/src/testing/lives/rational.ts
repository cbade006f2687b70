/** Exact products of decimals, so that a rounding is judged by the decimals and not by their binary noise. */

interface Rational {
  readonly above: bigint;
  /** A power of ten. */
  readonly below: bigint;
}

/** As it is written: 0.85 is 85 hundredths. */
function rationalOf(decimal: number): Rational {
  const [mantissa = "0", exponent = "0"] = String(decimal).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0
    ? { above: digits, below: 10n ** BigInt(places) }
    : { above: digits * 10n ** BigInt(-places), below: 1n };
}

/** Whether the whole number is as near to the product as any; of two equally near either will do. */
export function isNearestProduct(whole: number, factors: readonly number[]): boolean {
  if (!Number.isSafeInteger(whole)) return false;
  const { above, below } = factors.map(rationalOf).reduce((one, other) => ({
    above: one.above * other.above,
    below: one.below * other.below,
  }));
  const away = BigInt(whole) * below - above;
  return 2n * (away < 0n ? -away : away) <= below;
}
