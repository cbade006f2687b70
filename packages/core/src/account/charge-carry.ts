import { assert } from "../assert.ts";
import { carryOf, FUNDING_DELAY_MS, fundedHourMs, nextCarryMs } from "../market/carry.ts";
import type { CarryModel, Instruments } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import type { Position } from "../state/position.ts";
import { microUsd, type Ratio, type UnixMs, unixMs } from "../units.ts";
import { positionValueOf } from "./equity.ts";
import { awaitedPrice } from "./judging-price.ts";

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
 * the position and reduces the balance. Returns false while the account waits for a price.
 * @rule D7.carry
 */
export function chargeCarry(draft: Draft, dueMs: UnixMs): boolean {
  const { state, moment } = draft;
  if (awaitedPrice(state, moment, "clock") !== null) return false;
  const held = state.positions.filter(
    (position) => positionDueMs(position, state.carriedToMs, moment.instruments) === dueMs,
  );
  const rated = held.flatMap((position) => {
    const carry = ratedCarry(position, dueMs, moment);
    return carry === null ? [] : [{ position, carry }];
  });
  const charges = rated.map(({ position, carry }) => {
    const marked = positionValueOf(position, moment);
    assert(marked !== null, "a value of every position when no price is awaited");
    const value = microUsd(Math.abs(marked.netValue));
    const fee = carryOf(carry, dueMs, value);
    const charge = { positionUuid: position.uuid, value };
    if (carry.kind !== "everyHour") return { ...charge, fee };
    const sign = position.direction === "long" ? 1 : -1;
    const funded = microUsd(sign * fee);
    return carry.isCostOnly === true && funded <= 0
      ? "nothing"
      : { ...charge, fee: funded, rate: carry.rate };
  });
  const due = charges.filter((charge) => charge !== "nothing");
  draft.record({ type: "carryCharged", dueMs, charges: due });
  return true;
}

/** A position that opened at exactly that time is not charged. */
function positionDueMs(
  position: Position,
  carriedToMs: UnixMs,
  instruments: Instruments,
): UnixMs | null {
  const carry = carryModelOf(position, instruments);
  // Funding is charged later than the hour that it is for.
  const delayMs = carry.kind === "everyHour" ? FUNDING_DELAY_MS : 0;
  const heldSinceMs = unixMs(Math.max(carriedToMs, position.openedAtMs + delayMs));
  return nextCarryMs(carry, heldSinceMs);
}

/** The model with the rate of that time. Null for an hour without a known rate, which is not charged. @rule D11.funding */
function ratedCarry(position: Position, dueMs: UnixMs, moment: Moment): RatedCarry | null {
  const carry = carryModelOf(position, moment.instruments);
  if (carry.kind !== "everyHour") return carry;
  const rate = carry.rate ?? moment.funding?.get(position.pair)?.get(fundedHourMs(dueMs)) ?? null;
  return rate === null ? null : { ...carry, rate };
}

type RatedCarry =
  | Exclude<CarryModel, { readonly kind: "everyHour" }>
  | { readonly kind: "everyHour"; readonly rate: Ratio; readonly isCostOnly?: true };

function carryModelOf(position: Position, instruments: Instruments): CarryModel {
  const instrument = instruments.get(position.pair);
  assert(instrument !== undefined, `a catalogue with ${position.pair}`);
  const { carry, borrowRate } = instrument;
  const isBorrowed = position.direction === "short" && carry.kind === "none";
  return isBorrowed && borrowRate !== undefined ? { kind: "daily", rate: borrowRate } : carry;
}
