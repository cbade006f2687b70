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

/** Null when the account may trade. */
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
 * Null when the operator may end the account or its step: it is in the phase that the operator saw, and a catalogue
 * knows every pair that it holds. Without one, lots and fees are unknown, so the position cannot be closed.
 * @rule D13.judges @rule D13.phaseSeen decides
 */
export function endingRefusal({ state, moment }: Draft, { seenIn }: SeenPhase): Refusal | null {
  const { phase, positions } = state;
  if (seenIn !== undefined && !seenIn.includes(phase)) return { code: "phaseChanged", phase };
  const unknown = positions.find(({ pair }) => !moment.instruments.has(pair));
  return unknown === undefined ? null : { code: "unknownPair", pair: unknown.pair };
}

/** A pair of the catalogue, even when blocked: enough to close a position. */
export function knownPair(moment: Moment, pair: PairId): Result<Instrument, Refusal> {
  const instrument = moment.instruments.get(pair);
  return instrument === undefined ? refuse({ code: "unknownPair", pair }) : ok(instrument);
}

/**
 * A pair on which the account may open positions, or a position that the order only reduces.
 * @rule D5.tradePair D13.blocked decides
 */
export function permittedPair(
  { state, moment }: Draft,
  order: { readonly pair: PairId; readonly direction: Direction },
): Result<Instrument, Refusal> {
  const known = knownPair(moment, order.pair);
  if (!known.ok || !opensOrAdds(order, state.positions)) return known;
  const refusal = pairRefusal(state.terms, known.value);
  return refusal === null ? known : refuse(refusal);
}

/** Null when accounts on these terms may open positions on the pair. @rule D5.tradePair */
export function pairRefusal(
  { assetClass: accountClass }: Pick<AccountState["terms"], "assetClass">,
  { id: pair, blocked, assetClass }: Instrument,
): Refusal | null {
  if (blocked) return { code: "blockedPair", pair };
  return accountClass === "allMarkets" || accountClass === assetClass
    ? null
    : { code: "pairOutsideClass", pair, accountClass };
}

/** For entries only: exits have no cooldown. @rule D5.cooldown decides */
export function cooldownRefusal(draft: Draft, pair: PairId): Refusal | null {
  const last = draft.state.lastOrderAtMs[pair];
  if (last === undefined) return null;
  const waitMs = last + draft.state.terms.cooldownMs - draft.moment.now;
  return waitMs > 0 ? { code: "cooldown", pair, waitMs } : null;
}

/**
 * Counts pending entries and legs, including the legs of pending entries. An order that adds neither
 * is never refused. @rule D5.resting D10.hundred decides
 */
export function tooManyPendingRefusal({ state }: Draft, added: number): Refusal | null {
  if (added <= 0) return null;
  const { mostRestingOrders: max } = state.terms;
  const pending = state.orders.reduce((sum, order) => sum + pendingCountOf(order), 0);
  return pending + added > max ? { code: "tooManyRestingOrders", most: max } : null;
}

/** How many pending orders an order counts as: itself and its legs. @rule D10.hundred */
export function pendingCountOf(order: PendingOrder | Pick<EntryOrder, "legs">): number {
  return "legs" in order ? 1 + order.legs.length : 1;
}

/** While a standard account winds down for its pro account, orders may not open or add. @rule S2.1.1.phase decides */
export function transitionRefusal(
  { phase, positions }: Pick<AccountState, "phase" | "positions">,
  entry: { readonly pair: PairId; readonly direction: Direction },
): Refusal | null {
  return phase === "proTransition" && opensOrAdds(entry, positions)
    ? { code: "proTransition", pair: entry.pair }
    : null;
}

/** True when an order opens or adds: unless it is against the open position of its pair. */
export function opensOrAdds(
  { pair, direction }: { readonly pair: PairId; readonly direction: Direction },
  positions: readonly Position[],
): boolean {
  const position = positions.find((open) => open.pair === pair);
  return position === undefined || position.direction === direction;
}

export function openPositionOf(state: AccountState, pair: PairId): Position | null {
  return state.positions.find((position) => position.pair === pair) ?? null;
}

/**
 * Refused when a client repeats a direction that one of the orders or positions does not have.
 * @rule D13.ownDirection decides
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
