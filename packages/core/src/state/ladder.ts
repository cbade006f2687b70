/**
 * A ladder: the legs of one request whose sizes are shares. Errors of shares that are rounded alone add up: ten tenths
 * of 0.05 lots, at a grid of 0.01, would close the whole after five. So the resting legs of the request hold a
 * residual: the sum of the shares of the legs that have acted, less the quantity that these have closed. The next share
 * is rounded together with it.
 * @rule D12.ladder
 */
import { areSisters } from "./leg-ids.ts";
import type { BracketLeg, PendingOrder } from "./order.ts";

/** The decimals of a residual, in 0.00001 lots: finer than the smallest share, so the noise of a sum is gone. */
const DECIMALS = 6;

/** The quantity that the leg closes, in 0.00001 lots, before the grid; null for a leg that is alone or no share. */
export function partInLadder(leg: BracketLeg, orders: readonly PendingOrder[]): number | null {
  const share = exactShare(leg);
  if (share === null) return null;
  const isAlone =
    leg.residual === undefined && !orders.some((one) => one.uuid !== leg.uuid && isRung(one, leg));
  return isAlone ? null : asResidual(share + (leg.residual ?? 0));
}

/** The orders after a leg has acted and is gone, with the residual that it leaves to its sisters. */
export function withResidual(
  orders: readonly PendingOrder[],
  acted: BracketLeg,
  closed: number,
): readonly PendingOrder[] {
  const share = exactShare(acted);
  if (share === null) return orders;
  const residual = asResidual((acted.residual ?? 0) + share - closed);
  return orders.map((order) =>
    order.kind === "bracket" && areSisters(order.uuid, acted.uuid) ? { ...order, residual } : order,
  );
}

export function asResidual(lots: number): number {
  return Number(lots.toFixed(DECIMALS)) + 0;
}

function isRung(order: PendingOrder, leg: BracketLeg): boolean {
  return (
    order.kind === "bracket" &&
    order.size?.kind === "bracketPct" &&
    areSisters(order.uuid, leg.uuid)
  );
}

/** In 0.00001 lots; null for a leg of another size. */
function exactShare({ size, shareOf }: BracketLeg): number | null {
  return size?.kind === "bracketPct" ? shareOf * size.ratio : null;
}
