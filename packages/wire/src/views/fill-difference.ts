import type { FillItem } from "@propgate/contract";
import type { ExcessCode, FillDifference, ShortfallCode } from "@propgate/core";

/** Shortfall and excess of a fill in the API's form; null where the fill has none. @rule D12.shortfall */
export function fillDifferenceView({
  shortfall = null,
  excess = null,
}: {
  readonly shortfall?: FillDifference<ShortfallCode> | null;
  readonly excess?: FillDifference<ExcessCode> | null;
}): Pick<FillItem["data"], "shortfall" | "excess"> {
  return {
    shortfall: shortfall === null ? null : { code: shortfall.code, quantity: shortfall.lots },
    excess: excess === null ? null : { code: excess.code, quantity: excess.lots },
  };
}
