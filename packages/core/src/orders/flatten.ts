import { assert } from "../assert.ts";
import { liveMarket, type Market } from "../market/live-market.ts";
import { exitAtMarket, exitUuid } from "../positions/exit.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import type { Flatten } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import type { Position } from "../state/position.ts";
import type { Refusal, StayReason } from "../state/refusal.ts";
import { directionRefusal, requireInstrument } from "./guards.ts";

/** The effect of a FLAT_ALL: which positions close and which stay open. */
export interface FlattenPlan {
  readonly closing: readonly { readonly position: Position; readonly market: Market }[];
  /**
   * The positions that stay open, with the reason: the market is closed, the quote is not fresh, the rate is unknown,
   * or no catalogue knows the pair.
   */
  readonly staying: readonly { readonly position: Position; readonly why: StayReason }[];
}

/**
 * Finds which of the positions can be closed now. It changes nothing, so an answer can use it to list the positions
 * that stay open. @rule D10.flattenAll @rule D5.flattenAll decides
 */
export function flattenPlan(named: readonly Position[], moment: Moment): FlattenPlan {
  const closing: FlattenPlan["closing"][number][] = [];
  const staying: FlattenPlan["staying"][number][] = [];
  for (const position of named) {
    const market = marketOf(position, moment);
    if (market.ok) closing.push({ position, market: market.value });
    else staying.push({ position, why: market.refusal });
  }
  return { closing, staying };
}

/**
 * The open positions that a FLAT_ALL names; ids that are not open are skipped. Refused when it lists ids and none of
 * them is open, or when one of these positions has another direction than the request repeats.
 * @rule D10.lists D13.pairOfIds @rule D10.flattenIds decides
 */
export function findNamedPositions(
  { positions }: Pick<AccountState, "positions">,
  { target, pair, repeatedDirection }: Pick<Flatten, "target" | "pair" | "repeatedDirection">,
): Result<readonly Position[], Refusal> {
  const ofPair = positions.filter((open) => pair === null || open.pair === pair);
  if (target === "all") return ok(ofPair);
  const named = ofPair.filter(({ uuid }) => target.includes(uuid));
  const [first] = target;
  assert(first !== undefined, "a list of ids with an id");
  if (named.length === 0) {
    const sent = pair === null ? {} : { pair };
    return refuse({ code: "unknownPosition", positionUuid: first, ...sent });
  }
  const refusal = directionRefusal(named, repeatedDirection);
  return refusal === null ? ok(named) : refuse(refusal);
}

/**
 * Closes the named positions that can be closed. When the command has a pair, it names only positions on that pair.
 * Pending entries stay. Refused when no catalogue knows the pair, when `findNamedPositions` refuses, and when positions
 * are named and none of them can be closed. @rule S3.orders D5.flattenAll
 * @rule D10.flattenAll decides
 */
export function flatten(draft: Draft, command: Flatten): Result<null, Refusal> {
  if (command.pair !== null) {
    const known = requireInstrument(draft.moment, command.pair);
    if (!known.ok) return known;
  }
  const named = findNamedPositions(draft.state, command);
  if (!named.ok) return named;
  const { closing, staying } = flattenPlan(named.value, draft.moment);
  if (closing.length === 0 && staying.length > 0) {
    const stayed = staying.map(({ position, why }) => ({ pair: position.pair, why }));
    return refuse({ code: "nothingClosed", stayed });
  }
  for (const { position, market } of closing) {
    const exit = { orderUuid: exitUuid(position.uuid, "flatten"), kind: "flatten" } as const;
    exitAtMarket(draft, { ...exit, position, market });
  }
  return ok(null);
}

function marketOf(position: Position, moment: Moment): Result<Market, StayReason> {
  const instrument = moment.instruments.get(position.pair);
  return instrument === undefined
    ? refuse({ code: "unknownPair" })
    : liveMarket(moment, instrument);
}
