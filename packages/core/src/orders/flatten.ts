import type { AccountState } from "../account/account.ts";
import { type OrderUuid, orderUuid, type PositionUuid } from "../ids.ts";
import type { Flatten } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { FillKind } from "../network/event.ts";
import type { Moment } from "../network/moment.ts";
import type { Refusal } from "../network/refusal.ts";
import { exitAtMarket } from "../positions/exit.ts";
import type { Position } from "../positions/position.ts";
import { ok, type Result, refuse } from "../result.ts";
import { knownPair, liveMarket, type Market } from "./guards.ts";

/** What a FLAT_ALL does with each position it names. */
export interface FlattenPlan {
  readonly closing: readonly { readonly position: Position; readonly market: Market }[];
  /** Their market is closed, or has no fresh quote or rate: they stay open. */
  readonly staying: readonly { readonly position: Position; readonly why: Refusal }[];
}

/** Pure, so that whoever answers for the command can say what stayed. @rule D5.flattenAll */
export function flattenPlan(
  state: AccountState,
  target: Flatten["target"],
  moment: Moment,
): Result<FlattenPlan, Refusal> {
  const open = new Set(state.positions.map(({ uuid }) => uuid));
  const unknown = target === "all" ? undefined : target.find((uuid) => !open.has(uuid));
  if (unknown !== undefined) return refuse({ code: "unknownPosition", positionUuid: unknown });
  const named = state.positions.filter(({ uuid }) => target === "all" || target.includes(uuid));
  const reached = named.map((position) => ({ position, market: marketOf(position, moment) }));
  return ok({
    closing: reached.flatMap(({ position, market }) =>
      market.ok ? [{ position, market: market.value }] : [],
    ),
    staying: reached.flatMap(({ position, market }) =>
      market.ok ? [] : [{ position, why: market.refusal }],
    ),
  });
}

/** Closes what can be closed; resting entries stay. @rule S3.orders D5.flattenAll */
export function flatten(draft: Draft, command: Flatten): Result<null, Refusal> {
  const plan = flattenPlan(draft.state, command.target, draft.moment);
  if (!plan.ok) return plan;
  for (const { position, market } of plan.value.closing) {
    const exit = { orderUuid: exitUuid(position.uuid, "flatten"), kind: "flatten" } as const;
    exitAtMarket(draft, { ...exit, position, market });
  }
  return ok(null);
}

/** A position ends once, so its own id names the order that ends it for the trader. */
export function exitUuid(position: PositionUuid, kind: FillKind): OrderUuid {
  return orderUuid(`${position}-${kind}`);
}

function marketOf(position: Position, moment: Moment): Result<Market, Refusal> {
  const known = knownPair(moment, position.pair);
  return known.ok ? liveMarket(moment, known.value) : known;
}
