import type { ClosePair } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { exitAtMarket } from "../positions/exit.ts";
import { ok, type Result, refuse } from "../result.ts";
import { knownPair, liveMarket, openPositionOf } from "./guards.ts";

/** FLAT: the pair's position is closed at the market; a blocked pair can still be left. @rule D5.flat */
export function closePair(draft: Draft, command: ClosePair): Result<null, Refusal> {
  const { orderUuid, pair } = command;
  const known = knownPair(draft.moment, pair);
  if (!known.ok) return known;
  const live = liveMarket(draft.moment, known.value);
  if (!live.ok) return live;
  const position = openPositionOf(draft.state, pair);
  if (position === null) return refuse({ code: "noPosition", pair });
  exitAtMarket(draft, { orderUuid, kind: "closePair", position, market: live.value });
  return ok(null);
}
