import {
  type ActionId,
  actionId,
  type Instruments,
  leverage,
  type NewAction,
  pairId,
  ratio,
  type UnixMs,
} from "@propgate/core";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";
import { SMALL_CATALOGUE } from "./small-market.ts";

export const AAPL = pairId("AAPL");

/** The small market, and a share that always trades. */
export const SHARE_CATALOGUE: Instruments = new Map([
  ...SMALL_CATALOGUE,
  ...madeCatalogue(
    madeInstrument("AAPL", {
      assetClass: "equities",
      feeRatio: ratio(0),
      leverageCaps: {
        tier1: leverage(0.5),
        tier2: leverage(0.5),
        tier3: leverage(0.5),
        pro: leverage(2.5),
      },
    }),
  ),
]);

/** The id of the action with this number. */
export function nthActionId(index: number): ActionId {
  return actionId(`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
}

export function newSplit(atMs: UnixMs, index: number, ratioText = "4:1"): NewAction {
  const [newShares = 1, oldShares = 1] = ratioText.split(":").map(Number);
  return { id: nthActionId(index), pair: AAPL, atMs, kind: "split", newShares, oldShares };
}

export function newDividend(atMs: UnixMs, index: number, amount: number): NewAction {
  return { id: nthActionId(index), pair: AAPL, atMs, kind: "dividend", amount };
}
