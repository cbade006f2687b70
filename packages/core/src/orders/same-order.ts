import type { EntryOrder, LegRequest, Trailing } from "../state/order.ts";
import type { LegSize } from "../state/requested-size.ts";

/** True when an edit leaves the entry unchanged. @rule D13.shownIsHeld */
export function isSameEntry(before: EntryOrder, after: EntryOrder): boolean {
  return (
    before.direction === after.direction &&
    before.limitPrice === after.limitPrice &&
    before.reduceOnly === after.reduceOnly &&
    isSameStop(before, after) &&
    isSameSize(before.size, after.size) &&
    areSameLegs(before.legs, after.legs)
  );
}

function isSameStop(before: EntryOrder, after: EntryOrder): boolean {
  if (before.kind === "limit" || after.kind === "limit") return before.kind === after.kind;
  return before.stopPrice === after.stopPrice && before.stopCondition === after.stopCondition;
}

/** True when an edit leaves the legs unchanged. @rule D10.editKeeps */
export function areSameLegs(before: readonly LegRequest[], after: readonly LegRequest[]): boolean {
  return (
    before.length === after.length &&
    after.every((leg, index) => {
      const other = before[index];
      return other !== undefined && isSameLeg(other, leg);
    })
  );
}

/** True when an edit leaves the leg unchanged. @rule D13.shownIsHeld */
export function isSameLeg(before: LegRequest, after: LegRequest): boolean {
  return (
    before.stopLoss === after.stopLoss &&
    before.takeProfit === after.takeProfit &&
    isSameTrailing(before.trailing, after.trailing) &&
    isSameSize(before.size, after.size)
  );
}

export function isSameTrailing(before: Trailing | null, after: Trailing | null): boolean {
  if (before === null || after === null) return before === after;
  return before.kind === after.kind && distanceOf(before) === distanceOf(after);
}

function distanceOf(trailing: Trailing): number {
  return trailing.kind === "percent" ? trailing.ratio : trailing.value;
}

export function isSameSize(before: LegSize | null, after: LegSize | null): boolean {
  if (before === null || after === null) return before === after;
  return before.kind === after.kind && amountOf(before) === amountOf(after);
}

function amountOf(size: LegSize): number {
  switch (size.kind) {
    case "leverage":
      return size.leverage;
    case "value":
      return size.value;
    case "quantity":
      return size.lots;
    case "bracketPct":
      return size.ratio;
  }
}
