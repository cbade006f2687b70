/**
 * A ladder: the legs of one request whose sizes are `bracketPct`, shares of the position. When each leg is rounded
 * alone, the errors add up: ten legs of a tenth of 0.05 lots, at a grid of 0.01, would close the position after five
 * legs. So the pending legs of the request store a residual: the sum of the shares of the legs that have acted, less
 * the quantity that those legs have closed. The share of the next leg is rounded together with the residual.
 * @rule D12.ladder
 */
import { areOfOneRequest } from "./leg-ids.ts";
import type { BracketLeg, PendingOrder } from "./order.ts";

/**
 * A residual, in 0.00001 lots, is rounded to this many decimals: finer than the smallest share, and coarse enough to
 * remove the rounding error of a sum.
 */
const DECIMALS = 6;

/**
 * The quantity that the leg closes, in 0.00001 lots, before the grid. Null for a leg that is not sized by `bracketPct`,
 * and for a leg without a residual whose request has no other pending leg that is sized by `bracketPct`.
 */
export function ladderPartOf(leg: BracketLeg, orders: readonly PendingOrder[]): number | null {
  const share = exactShare(leg);
  if (share === null) return null;
  const isAlone =
    leg.residual === undefined &&
    !orders.some((one) => one.uuid !== leg.uuid && isInLadder(one, leg));
  return isAlone ? null : roundResidual(share + (leg.residual ?? 0));
}

/**
 * The pending orders after the leg `acted` has closed the quantity `closed`: the other legs of its request store the
 * new residual. Unchanged when `acted` is not sized by `bracketPct`.
 */
export function withResidual(
  orders: readonly PendingOrder[],
  acted: BracketLeg,
  closed: number,
): readonly PendingOrder[] {
  const share = exactShare(acted);
  if (share === null) return orders;
  const residual = roundResidual((acted.residual ?? 0) + share - closed);
  return orders.map((order) =>
    order.kind === "bracket" && areOfOneRequest(order.uuid, acted.uuid)
      ? { ...order, residual }
      : order,
  );
}

/** Rounds a number of 0.00001 lots to the decimals of a residual. */
export function roundResidual(lots: number): number {
  return Number(lots.toFixed(DECIMALS)) + 0;
}

function isInLadder(order: PendingOrder, leg: BracketLeg): boolean {
  return (
    order.kind === "bracket" &&
    order.size?.kind === "bracketPct" &&
    areOfOneRequest(order.uuid, leg.uuid)
  );
}

/** The share of the leg, in 0.00001 lots, before it is rounded; null for a leg that is not sized by `bracketPct`. */
function exactShare({ size, shareOf }: BracketLeg): number | null {
  return size?.kind === "bracketPct" ? shareOf * size.ratio : null;
}
