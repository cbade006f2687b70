import { type Price, price } from "@propgate/core";
import { DIGITS_SHOWN } from "../base/wire-json.ts";

export function heldPrice(sent: number): Price {
  return price(asShown(sent));
}

/** Rounds to the 12 significant digits that answers show, so an order that is sent again as shown is unchanged. @rule D13.shownIsHeld */
export function asShown(sent: number): number {
  return Number(sent.toPrecision(DIGITS_SHOWN));
}
