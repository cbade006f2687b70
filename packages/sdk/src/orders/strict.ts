import { type AttachedLegItem, type LegFields, parsePlaceOrder } from "@propgate/contract";
import { InvalidOrderError } from "../errors.ts";
import { type AcceptedOrder, MissingLegError } from "./order-outcome.ts";

/**
 * Parses the body as the service does, and returns the legs of the order. Throws InvalidOrderError for an order that is
 * invalid in every market, and for unknown fields.
 * @rule S4.2.ignored
 */
export function checkOrder(body: string): readonly LegFields[] {
  const parsed = parsePlaceOrder(JSON.parse(body));
  if (!parsed.ok) throw new InvalidOrderError(parsed.message, []);
  const { order, ignoredFields } = parsed;
  if (ignoredFields.length > 0) {
    throw new InvalidOrderError(`unknown field: ${ignoredFields.join(", ")}`, ignoredFields);
  }
  return "legs" in order ? order.legs : [];
}

/** Throws MissingLegError when the answer lacks a leg of the request. */
export function requireLegs(outcome: AcceptedOrder, legs: readonly LegFields[]): void {
  const order = outcome.result?.order ?? null;
  if (order === null) return;
  const attached = [...(order.bracketOrders ?? [])];
  const missing = legs.filter((leg) => {
    const at = attached.findIndex((one) => isLeg(one, leg));
    if (at !== -1) attached.splice(at, 1);
    return at === -1;
  });
  if (missing.length > 0) throw new MissingLegError(outcome, missing.map(legText));
}

function isLeg(attached: AttachedLegItem, { stopLoss, takeProfit, trailing }: LegFields): boolean {
  const distance =
    trailing?.field === "trailing_value" ? attached.trailingValue : attached.trailingPercent;
  return (
    (stopLoss === null || isPrice(attached.stopLoss, stopLoss)) &&
    (takeProfit === null || isPrice(attached.takeProfit, takeProfit)) &&
    (trailing === null || isPrice(distance, trailing.amount))
  );
}

/** A service may round a price to the tick of its pair, so a leg's price may differ by this share. */
const ROUNDING = 1e-4;

function isPrice(attached: number | null, requested: number): boolean {
  return attached !== null && Math.abs(attached - requested) <= requested * ROUNDING;
}

function legText({ stopLoss, takeProfit, trailing }: LegFields): string {
  const parts = [
    ...(stopLoss === null ? [] : [`stop_loss ${stopLoss}`]),
    ...(takeProfit === null ? [] : [`take_profit ${takeProfit}`]),
    ...(trailing === null ? [] : [`${trailing.field} ${trailing.amount}`]),
  ];
  return parts.join(" and ");
}
