/** The text that is shown in place of an unknown value. */
export const UNKNOWN_TEXT = "--";

/** USD with two decimals, `1,234.56`. */
export function moneyText(usd: number | null | undefined): string {
  return orUnknownText(usd, (value) => groupedText(value, 2));
}

/** USD with two decimals and a sign, `+12.00`. Zero has no sign. */
export function signedMoneyText(usd: number | null | undefined): string {
  return orUnknownText(usd, (value) => {
    const text = groupedText(value, 2);
    return value > 0 && text !== "0.00" ? `+${text}` : text;
  });
}

/** A percentage with two decimals, `1.25%`. */
export function percentText(value: number | null | undefined): string {
  return orUnknownText(value, (one) => `${groupedText(one, 2)}%`);
}

/**
 * A price or a size with up to eight decimals. A number below 1 has up to eight significant digits instead, so that a
 * tiny price is not shown as 0.
 */
export function decimalText(value: number | null | undefined): string {
  return orUnknownText(value, (one) =>
    one.toLocaleString("en-US", {
      maximumFractionDigits: 8,
      maximumSignificantDigits: 8,
      roundingPriority: "morePrecision",
    }),
  );
}

/** A step of prices or sizes with all its digits, without an exponent: 0.000000001, not 1e-9. */
export function stepText(value: number | null): string {
  return orUnknownText(value, (one) =>
    one.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 12 }),
  );
}

/** A multiple with two decimals, `1.50x`. */
export function multipleText(value: number | null | undefined): string {
  return orUnknownText(value, (one) => `${groupedText(one, 2)}x`);
}

/** A multiple with the digits of `decimalText`, `1.5x`. */
export function decimalMultipleText(value: number | null | undefined): string {
  return orUnknownText(value, (one) => `${decimalText(one)}x`);
}

/** Milliseconds since the Unix epoch as `2026-01-31 12:00:00Z`. */
export function timeText(ms: number | null | undefined): string {
  return orUnknownText(ms, (one) =>
    new Date(one)
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z$/, "Z"),
  );
}

/** A UTC time without seconds and zone, for tables: `2026-01-31 12:00`. */
export function minuteText(ms: number | null | undefined): string {
  return orUnknownText(ms, (one) => new Date(one).toISOString().slice(0, 16).replace("T", " "));
}

/** The UTC day of a time in Unix milliseconds, `2026-01-31`. */
export function dayText(ms: number | null | undefined): string {
  return orUnknownText(ms, (one) => new Date(one).toISOString().slice(0, 10));
}

/** The first part of an id, which is enough to distinguish the items of a short list. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

function orUnknownText(value: number | null | undefined, text: (value: number) => string): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? UNKNOWN_TEXT
    : text(value);
}

function groupedText(value: number, digits: number): string {
  const text = value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}
