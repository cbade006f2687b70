import { assert } from "../assert.ts";
import { carryOf, nextCarryMs } from "../market/carry.ts";
import type { CarryModel, Instruments } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { Position } from "../state/position.ts";
import { microUsd, type UnixMs, unixMs } from "../units.ts";
import { positionValueOf } from "./equity.ts";

/** When carry is next due on an open position; null when it never is. @rule D7.carry */
export function carryDueMs(
  state: Pick<AccountState, "positions" | "carriedToMs">,
  instruments: Instruments,
): UnixMs | null {
  let first: UnixMs | null = null;
  for (const position of state.positions) {
    const dueMs = positionDueMs(position, state.carriedToMs, instruments);
    if (dueMs !== null && (first === null || dueMs < first)) first = dueMs;
  }
  return first;
}

/**
 * Charges every position that was held at that time, on its value at the mark. The charge is a fee of
 * the position and reduces the balance. Returns false while one of the positions has no price.
 * @rule D7.carry
 */
export function chargeCarry(draft: Draft, dueMs: UnixMs): boolean {
  const { state, moment } = draft;
  const held = state.positions.filter(
    (position) => positionDueMs(position, state.carriedToMs, moment.instruments) === dueMs,
  );
  const charges = held.map((position) => {
    const marked = positionValueOf(position, moment);
    if (marked === null) return null;
    const value = microUsd(Math.abs(marked.netValue));
    const fee = carryOf(carryModelOf(position, moment.instruments), dueMs, value);
    return { positionUuid: position.uuid, value, fee };
  });
  const known = charges.filter((charge) => charge !== null);
  if (known.length < charges.length) return false;
  draft.record({ type: "carryCharged", dueMs, charges: known });
  return true;
}

/** A position that opened at exactly that time is not charged. */
function positionDueMs(
  position: Position,
  carriedToMs: UnixMs,
  instruments: Instruments,
): UnixMs | null {
  const heldSinceMs = unixMs(Math.max(carriedToMs, position.openedAtMs));
  return nextCarryMs(carryModelOf(position, instruments), heldSinceMs);
}

function carryModelOf(position: Position, instruments: Instruments): CarryModel {
  const instrument = instruments.get(position.pair);
  assert(instrument !== undefined, `a catalogue with ${position.pair}`);
  return instrument.carry;
}
