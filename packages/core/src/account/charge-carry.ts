import { assert } from "../assert.ts";
import { carryOf, FUNDING_DELAY_MS, fundedHourMs, nextCarryMs } from "../market/carry.ts";
import type { CarryModel, Instrument, Instruments } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { Moment } from "../state/moment.ts";
import type { Position } from "../state/position.ts";
import { microUsd, type Ratio, type UnixMs, unixMs } from "../units.ts";
import { positionValueOf } from "./equity.ts";
import { awaitedPrice } from "./judging-price.ts";

/** When carry is next due on the open positions; null when it never is. @rule D7.carry */
export function carryDueMs(
  state: Pick<AccountState, "positions" | "carriedToMs">,
  instruments: Instruments,
): UnixMs | null {
  let first: UnixMs | null = null;
  for (const position of state.positions) {
    const next = nextCharge(position, state.carriedToMs, instruments);
    if (next !== null && (first === null || next.dueMs < first)) first = next.dueMs;
  }
  return first;
}

/**
 * Charges the carry that is due at `dueMs` on each position that owes it, computed from the position's value at the
 * mark. Funding of an hour is due five minutes after the hour, and an hour without a known rate is not charged. The
 * charge is a fee of the position and reduces the balance; funding may be received instead. Returns false, and charges
 * no position, while the account waits for a price. @rule D7.carry @rule D11.funding decides
 */
export function chargeCarry(draft: Draft, dueMs: UnixMs): boolean {
  const { state, moment } = draft;
  if (awaitedPrice(state, moment, "clock") !== null) return false;
  const rated = state.positions.flatMap((position) => {
    const next = nextCharge(position, state.carriedToMs, moment.instruments);
    const carry = next?.dueMs === dueMs ? ratedCarry(position, next, moment) : null;
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
    // A pair with `isCostOnly` pays no funding to its holders. @rule D11.fundingCost decides
    return carry.isCostOnly === true && funded <= 0
      ? "nothing"
      : { ...charge, fee: funded, rate: carry.rate };
  });
  const due = charges.filter((charge) => charge !== "nothing");
  draft.record({ type: "carryCharged", dueMs, charges: due });
  return true;
}

interface NextCharge {
  readonly dueMs: UnixMs;
  readonly model: CarryModel;
}

/**
 * The next charge of the position, by the carry that was in force at the time that the charge covers. A position that
 * opened exactly at that time is not charged. Null when the position has no carry or no catalogue knows its pair.
 * @rule D13.formerCarry decides
 */
function nextCharge(
  position: Position,
  carriedToMs: UnixMs,
  instruments: Instruments,
): NextCharge | null {
  const instrument = instruments.get(position.pair);
  // Nothing is charged for a pair that no catalogue knows. The account waits for a price of the pair, and the health
  // report counts the account. @rule D13.judges
  if (instrument === undefined) return null;
  let fromMs = Number.NEGATIVE_INFINITY;
  for (const former of instrument.formerCarry ?? []) {
    const model = carryModelOf(position, former);
    const next = nextOfModel(position, { model, carriedToMs, fromMs });
    if (next !== null && chargedForMs(next) < former.untilMs) return next;
    fromMs = former.untilMs;
  }
  const model = carryModelOf(position, instrument);
  return nextOfModel(position, { model, carriedToMs, fromMs });
}

function nextOfModel(
  position: Position,
  period: {
    readonly model: CarryModel;
    readonly carriedToMs: UnixMs;
    readonly fromMs: number;
  },
): NextCharge | null {
  const { model, carriedToMs, fromMs } = period;
  // Funding for an hour is charged five minutes after that hour.
  const delayMs = model.kind === "everyHour" ? FUNDING_DELAY_MS : 0;
  const heldSinceMs = Math.max(position.openedAtMs, fromMs - 1) + delayMs;
  const dueMs = nextCarryMs(model, unixMs(Math.max(carriedToMs, heldSinceMs)));
  return dueMs === null ? null : { dueMs, model };
}

function chargedForMs({ dueMs, model }: NextCharge): UnixMs {
  return model.kind === "everyHour" ? fundedHourMs(dueMs) : dueMs;
}

/**
 * The carry of a charge with the known rate filled in. Null for funding of an hour without a known rate, which is not
 * charged.
 * @rule D11.funding
 */
function ratedCarry(
  { pair }: Position,
  { dueMs, model }: NextCharge,
  moment: Moment,
): RatedCarry | null {
  if (model.kind !== "everyHour") return model;
  const rate = model.rate ?? moment.funding?.get(pair)?.get(fundedHourMs(dueMs)) ?? null;
  return rate === null ? null : { ...model, rate };
}

type RatedCarry =
  | Exclude<CarryModel, { readonly kind: "everyHour" }>
  | { readonly kind: "everyHour"; readonly rate: Ratio; readonly isCostOnly?: true };

/**
 * The carry of a position: for a short position in a pair without other carry, the pair's borrow rate, charged like
 * daily carry; else the carry of the pair. @rule D11.borrow decides
 */
function carryModelOf(
  { direction }: Position,
  { carry, borrowRate }: Pick<Instrument, "carry" | "borrowRate">,
): CarryModel {
  const isBorrowed = direction === "short" && carry.kind === "none";
  return isBorrowed && borrowRate !== undefined ? { kind: "daily", rate: borrowRate } : carry;
}
