import { dollars, type LegSize, type Size, type TrailingDistance } from "@propgate/core";

/** The size fields of an order in the API. The field that the client sent has its value; the others are null. */
export interface SentSizeFields {
  readonly leverage: number | null;
  readonly value: number | null;
  readonly quantity: number | null;
  readonly bracketPct: number | null;
}

const NO_SIZE: SentSizeFields = { leverage: null, value: null, quantity: null, bracketPct: null };

/** The size in the field in which it was sent; null in every other field. @rule D5.sentSize decides */
export function sentSizeFields(size: Size | LegSize | null): SentSizeFields {
  if (size === null) return NO_SIZE;
  switch (size.kind) {
    case "leverage":
      return { ...NO_SIZE, leverage: size.leverage };
    case "value":
      return { ...NO_SIZE, value: dollars(size.value) };
    case "quantity":
      return { ...NO_SIZE, quantity: size.lots };
    case "bracketPct":
      return { ...NO_SIZE, bracketPct: size.ratio };
  }
}

/** The distance of a trailing stop; both fields are null without one. */
export function trailingFields(trailing: TrailingDistance | null): {
  readonly trailingPercent: number | null;
  readonly trailingValue: number | null;
} {
  return {
    trailingPercent: trailing?.kind === "percent" ? trailing.ratio : null,
    trailingValue: trailing?.kind === "value" ? trailing.value : null,
  };
}
