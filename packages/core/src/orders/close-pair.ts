import { liveMarket } from "../market/live-market.ts";
import { exitAtMarket } from "../positions/exit.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { ClosePair } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Refusal } from "../state/refusal.ts";
import { openPositionOf, requireInstrument } from "./guards.ts";

/**
 * FLAT: closes the pair's position at the market, also on a blocked pair. Refused for a pair that no catalogue knows,
 * and without a live market or a position.
 * @rule D5.flat decides
 */
export function closePair(draft: Draft, command: ClosePair): Result<null, Refusal> {
  const { orderUuid, pair } = command;
  const known = requireInstrument(draft.moment, pair);
  if (!known.ok) return known;
  const live = liveMarket(draft.moment, known.value);
  if (!live.ok) return live;
  const position = openPositionOf(draft.state, pair);
  if (position === null) return refuse({ code: "noPosition", pair });
  exitAtMarket(draft, { orderUuid, kind: "closePair", position, market: live.value });
  return ok(null);
}
