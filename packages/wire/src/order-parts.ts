import {
  DIGITS_SHOWN,
  type LegFields,
  type LegSizeFields,
  type OrderSize,
  type TrailingFields,
} from "@propgate/contract";
import {
  type LegRequest,
  type LegSize,
  leverage,
  type Price,
  price,
  ratio,
  roundUsd,
  type Size,
  type TrailingDistance,
} from "@propgate/core";

/** A leg of a request in the words of the domain, with its numbers rounded to the digits that answers show. */
export function legRequest(leg: LegFields): LegRequest {
  return {
    stopLoss: leg.stopLoss === null ? null : orderPrice(leg.stopLoss),
    takeProfit: leg.takeProfit === null ? null : orderPrice(leg.takeProfit),
    trailing: leg.trailing === null ? null : trailingOf(leg.trailing),
    size: leg.size === null ? null : legSizeOf(leg.size),
  };
}

/** A size of a request in the words of the domain, rounded to the digits that answers show. */
export function requestedSize({ field, amount }: OrderSize): Size {
  const held = roundedAsShown(amount);
  switch (field) {
    case "leverage":
      return { kind: "leverage", leverage: leverage(held) };
    case "value":
      return { kind: "value", value: roundUsd(held) };
    case "quantity":
      return { kind: "quantity", lots: held };
  }
}

function legSizeOf({ field, amount }: LegSizeFields): LegSize {
  return field === "bracket_pct"
    ? { kind: "bracketPct", ratio: ratio(roundedAsShown(amount)) }
    : requestedSize({ field, amount });
}

function trailingOf({ field, amount }: TrailingFields): TrailingDistance {
  const held = roundedAsShown(amount);
  return field === "trailing_percent"
    ? { kind: "percent", ratio: ratio(held) }
    : { kind: "value", value: held };
}

/** The price as orders keep it: rounded to the digits that answers show. */
export function orderPrice(sent: number): Price {
  return price(roundedAsShown(sent));
}

/**
 * Rounds to the 12 significant digits that answers show, so an order that is sent again as shown is unchanged.
 * @rule D13.shownIsHeld decides
 */
function roundedAsShown(sent: number): number {
  return Number(sent.toPrecision(DIGITS_SHOWN));
}
