import type { MicroUsd } from "@propgate/core";
import type { LinkedOrder, LinkedPosition } from "../dashboard/linked-readings.ts";
import { type MaybeUnknown, magnitudeUsd, sumUsd } from "./exact-usd.ts";

/** Fills in the position's direction; null when they are not known. */
export function entriesOf(position: LinkedPosition): readonly LinkedOrder[] | null {
  return knownFills(position)?.filter((fill) => isEntry(fill, position)) ?? null;
}

/** Fills that reduced or closed the position; null when they are not known. */
export function exitsOf(position: LinkedPosition): readonly LinkedOrder[] | null {
  return knownFills(position)?.filter((fill) => !isEntry(fill, position)) ?? null;
}

/**
 * The fills of a position. Null when none were sent, or when a fill was sent without its execution type, because that
 * fill could be an entry or the exit of a leg.
 */
function knownFills({ fills }: LinkedPosition): readonly LinkedOrder[] | null {
  if (fills === null || fills.length === 0) return null;
  return fills.every(({ executionType }) => executionType !== null) ? fills : null;
}

/** Whether a fill is an entry. A leg always reduces, although the network records the position's direction for it. */
function isEntry({ type, executionType }: LinkedOrder, { direction }: LinkedPosition): boolean {
  return type === direction && executionType !== "BRACKET";
}

/**
 * The network's codes of a forced close by an elimination: 1 is ELIMINATION_FLAT, 3 PRICE_FILLED_ELIMINATION_FLAT. The
 * id of such an order ends with `-close-` and the code.
 */
const ELIMINATION_CAUSES: readonly number[] = [1, 3];

/**
 * Whether a fill is a forced close by an elimination, by its id or by the code that some versions of the network send.
 */
export function isEliminationFill({ uuid, sourceOrSlippage }: LinkedOrder): boolean {
  return ELIMINATION_CAUSES.some(
    (cause) => uuid.endsWith(`-close-${cause}`) || sourceOrSlippage === cause,
  );
}

/**
 * The open quantity, negative for SHORT: entries less exits. FLAT closes everything, and an exit never opens the other
 * side. Null when the fills are not known, or when a fill other than a FLAT has no quantity. @rule S2.2
 */
export function netQuantity(position: LinkedPosition): MaybeUnknown<number> {
  const fills = knownFills(position);
  if (fills === null) return null;
  let open = 0;
  for (const fill of fills) {
    if (fill.type === "FLAT") {
      open = 0;
      continue;
    }
    if (fill.quantity === null) return null;
    const size = Math.abs(fill.quantity);
    open = isEntry(fill, position)
      ? withoutNoise(open + size)
      : Math.max(0, withoutNoise(open - size));
  }
  return withDirectionSign(open, position);
}

/**
 * The quantity of all entries, negative for SHORT; null when there are no entries, or when the quantity of an entry is
 * not known. @rule S2.4
 */
export function openedQuantity(position: LinkedPosition): MaybeUnknown<number> {
  const entries = entriesOf(position);
  if (entries === null || entries.length === 0) return null;
  let opened = 0;
  for (const { quantity } of entries) {
    if (quantity === null) return null;
    opened = withoutNoise(opened + Math.abs(quantity));
  }
  return withDirectionSign(opened, position);
}

/** The value of all entries; null when there are no entries, or when the value of an entry is not known. */
export function entryValue(position: LinkedPosition): MaybeUnknown<MicroUsd> {
  const entries = entriesOf(position);
  if (entries === null || entries.length === 0) return null;
  return sumUsd(entries.map(({ value }) => magnitudeUsd(value)));
}

/** Rounds off the binary noise of a sum. */
export function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}

function withDirectionSign(size: number, { direction }: LinkedPosition): number {
  return direction === "SHORT" && size !== 0 ? -size : size;
}
