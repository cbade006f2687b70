import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import type { SeenPhase } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import type { Direction, EntryOrder, PendingOrder } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { Refusal } from "../state/refusal.ts";

/**
 * The refusal of an account that may not trade, because it is eliminated, closed or not set up yet; null for an active
 * one.
 * @rule D7.elimination @rule S7.notReady decides
 */
export function statusRefusal(state: AccountState): Refusal | null {
  switch (state.status) {
    case "provisioning":
      return { code: "accountNotReady" };
    case "eliminated":
      return { code: "accountEliminated" };
    case "closed":
      return { code: "accountClosed" };
    case "active":
      return null;
  }
}

/**
 * Refuses an operator's command that ends the account or its present phase. It is refused when the account is in a
 * phase in which the operator did not see it, and while the account holds a pair that no catalogue knows: such a
 * position cannot be closed, because its lots and fees are unknown. Null when the command is allowed. @rule D13.judges
 * @rule D13.phaseSeen decides
 */
export function endingRefusal({ state, moment }: Draft, { seenIn }: SeenPhase): Refusal | null {
  const { phase, positions } = state;
  if (seenIn !== undefined && !seenIn.includes(phase)) return { code: "phaseChanged", phase };
  const unknown = positions.find(({ pair }) => !moment.instruments.has(pair));
  return unknown === undefined ? null : { code: "unknownPair", pair: unknown.pair };
}

/**
 * The instrument of a pair; refused when no catalogue knows it. A blocked pair is not refused: its positions may be
 * closed.
 */
export function requireInstrument(moment: Moment, pair: PairId): Result<Instrument, Refusal> {
  const instrument = moment.instruments.get(pair);
  return instrument === undefined ? refuse({ code: "unknownPair", pair }) : ok(instrument);
}

/**
 * The instrument of a pair on which this order may open, add or reduce. Refused when no catalogue knows the pair. An
 * order that would open or add is also refused on a blocked pair, and on one outside the account's class.
 * @rule D5.tradePair D13.blocked decides
 */
export function permittedInstrument(
  { state, moment }: Draft,
  order: { readonly pair: PairId; readonly direction: Direction },
): Result<Instrument, Refusal> {
  const known = requireInstrument(moment, order.pair);
  if (!known.ok || !opensOrAdds(order, state.positions)) return known;
  const refusal = pairRefusal(state.terms, known.value);
  return refusal === null ? known : refuse(refusal);
}

/**
 * The refusal of an order that would open on the pair; null when accounts on these terms may open positions on it.
 * @rule D5.tradePair
 */
export function pairRefusal(
  { assetClass: accountClass }: Pick<AccountState["terms"], "assetClass">,
  { id: pair, blocked, assetClass }: Instrument,
): Refusal | null {
  if (blocked) return { code: "blockedPair", pair };
  return accountClass === "allMarkets" || accountClass === assetClass
    ? null
    : { code: "pairOutsideClass", pair, accountClass };
}

/**
 * The refusal of an order before the pair's cooldown is over. Only MARKET, LIMIT and STOP_LIMIT orders are checked, so
 * a position can always be closed with FLAT. @rule D5.cooldown decides
 */
export function cooldownRefusal(draft: Draft, pair: PairId): Refusal | null {
  const last = draft.state.lastOrderAtMs[pair];
  if (last === undefined) return null;
  const waitMs = last + draft.state.terms.cooldownMs - draft.moment.now;
  return waitMs > 0 ? { code: "cooldown", pair, waitMs } : null;
}

/**
 * The refusal when `added` more orders and legs would exceed the limit of pending orders. Legs of pending entries count
 * too. An order or edit that adds none is never refused. @rule D5.resting D10.hundred decides
 */
export function tooManyPendingRefusal({ state }: Draft, added: number): Refusal | null {
  if (added <= 0) return null;
  const { mostRestingOrders: max } = state.terms;
  const pending = state.orders.reduce((sum, order) => sum + pendingCountOf(order), 0);
  return pending + added > max ? { code: "tooManyRestingOrders", most: max } : null;
}

/** How many pending orders an order counts as: itself and the legs that it will attach. @rule D10.hundred */
export function pendingCountOf(order: PendingOrder | Pick<EntryOrder, "legs">): number {
  return "legs" in order ? 1 + order.legs.length : 1;
}

/**
 * Refuses an order that would open or add during the transition of a standard account to its pro account; null for any
 * other order. @rule S2.1.1.transition decides
 */
export function transitionRefusal(
  { phase, positions }: Pick<AccountState, "phase" | "positions">,
  entry: { readonly pair: PairId; readonly direction: Direction },
): Refusal | null {
  return phase === "proTransition" && opensOrAdds(entry, positions)
    ? { code: "proTransition", pair: entry.pair }
    : null;
}

/** True when an order opens or adds: its pair has no open position, or one in the same direction. */
export function opensOrAdds(
  { pair, direction }: { readonly pair: PairId; readonly direction: Direction },
  positions: readonly Position[],
): boolean {
  const position = positions.find((open) => open.pair === pair);
  return position === undefined || position.direction === direction;
}

/** The open position on the pair; null when there is none. */
export function openPositionOf(state: AccountState, pair: PairId): Position | null {
  return state.positions.find((position) => position.pair === pair) ?? null;
}

/**
 * Refuses a direction that the client repeated when one of the orders or positions has another one. Null when they
 * agree or no direction was sent. @rule D13.ownDirection decides
 */
export function directionRefusal(
  named: readonly { readonly uuid: string; readonly direction: Direction }[],
  repeated: Direction | undefined,
): Refusal | null {
  const other = named.find(({ direction }) => repeated !== undefined && direction !== repeated);
  return other === undefined
    ? null
    : { code: "directionMismatch", id: other.uuid, direction: other.direction };
}
