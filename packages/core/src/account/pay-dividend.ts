import { assert } from "../assert.ts";
import type { Dividend } from "../market/corporate-action.ts";
import { baseUnits } from "../market/lot-unit.ts";
import { usdRateAt } from "../market/valuation.ts";
import type { Draft } from "../state/draft.ts";
import { microUsd, roundUsd } from "../units.ts";

/**
 * Pays the dividend on the position that was open before the dividend's time: a long receives it, a short pays it, in
 * the balance and as a fee of the position. Returns false, and pays no dividend, while the pair's quote currency has no
 * rate to USD. @rule D11.dividend decides
 */
export function payDividend(draft: Draft, dividend: Dividend): boolean {
  const { id: actionId, pair, atMs: dueMs, amount } = dividend;
  const position = draft.state.positions.find(
    (held) => held.pair === pair && held.openedAtMs < dueMs,
  );
  assert(position !== undefined, "a position that the dividend affects");
  const instrument = draft.moment.instruments.get(pair);
  assert(instrument !== undefined, `a catalogue with ${pair}`);
  const usdRate = usdRateAt(instrument, position.averageEntryPrice, draft.moment);
  if (usdRate === null) return false;
  const sum = roundUsd(amount * baseUnits(instrument, position.quantity) * usdRate);
  const paid = microUsd(position.direction === "long" ? sum : 0 - sum);
  draft.record({
    type: "dividendPaid",
    actionId,
    pair,
    dueMs,
    positionUuid: position.uuid,
    amount,
    usdRate,
    paid,
  });
  return true;
}
