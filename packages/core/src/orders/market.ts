import { liveMarket } from "../market/live-market.ts";
import { entrySide, priceAtSide } from "../pending/triggers.ts";
import { type Result, refuse } from "../result.ts";
import type { PlaceMarket } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Refusal } from "../state/refusal.ts";
import { fillOrder } from "./fill.ts";
import { cooldownRefusal, permittedInstrument, tooManyPendingRefusal } from "./guards.ts";
import { priceStepRefusal, sentPrices } from "./price-steps.ts";

/**
 * Fills the order immediately, LONG at the ask and SHORT at the bid, plus slippage, and attaches its legs; or refuses
 * the whole order. @rule S3.orders @rule D5.market decides
 */
export function placeMarket(draft: Draft, command: PlaceMarket): Result<null, Refusal> {
  const permitted = permittedInstrument(draft, command);
  if (!permitted.ok) return permitted;
  const live = liveMarket(draft.moment, permitted.value);
  if (!live.ok) return live;
  const refusal =
    cooldownRefusal(draft, command.pair) ??
    tooManyPendingRefusal(draft, command.legs.length) ??
    priceStepRefusal(permitted.value, sentPrices(command.legs));
  if (refusal !== null) return refuse(refusal);
  const market = live.value;
  const quoted = priceAtSide(market.quote, entrySide(command.direction));
  return fillOrder(draft, { ...command, kind: "market", market, price: quoted });
}
