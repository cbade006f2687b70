import type { AttachedLegItem, OrderRecordItem } from "@propgate/contract";
import {
  dollars,
  KIND_PLACED,
  type LegRequest,
  type LegSize,
  type MicroUsd,
  type OrderCommand,
  type PlaceEntry,
  placesEntry,
} from "@propgate/core";
import {
  attachedLegView,
  commandKindFields,
  exposureCapText,
  NO_KIND_FIELDS,
  ORDER_TYPE_WORDS,
  PENDING_KIND_WORDS,
  type SentSizeFields,
  sentSizeFields,
} from "@propgate/wire";
import { nearestLevels } from "../../views/stop-levels.ts";
import { exposureCapOf } from "../exposure-cap.ts";
import type { NetworkLeg, NetworkOrder } from "./network-order.ts";

/** A command whose answer has an order. */
export type OrderingCommand = Exclude<OrderCommand, { type: "cancelOrders" | "flatten" }>;

/**
 * The order of an answer in the API's form. A filled order has the executed figures, as magnitudes; a pending one has
 * only the size that was sent. The price includes the slippage, as in the network's own books. Null when the time or
 * the direction of the order is not known. @rule S2.6 D5.sentSize
 */
export function orderRecordView(
  order: NetworkOrder,
  command: OrderingCommand,
): OrderRecordItem | null {
  const sent = sentPart(command);
  const orderType = order.type ?? (sent.executionType === "BRACKET" ? null : sent.orderType);
  // A missing time or direction is never invented.
  if (order.processedMs === null || orderType === null) return null;
  const shared = {
    orderUuid: order.uuid,
    tradePair: sent.pair,
    tradePairDisplay: order.pairDisplay ?? sent.pair,
    orderType,
    executionType:
      order.executionType === "FLAT_ALL" ? "MARKET" : (order.executionType ?? sent.executionType),
    processedMs: order.processedMs,
    limitPrice: order.limitPrice ?? sent.limitPrice,
    stopPrice: order.stopPrice ?? sent.stopPrice,
    stopCondition: order.stopCondition ?? sent.stopCondition,
    ...levelsOf(order),
    reduceOnly: sent.executionType === "BRACKET",
    fee: null,
  } as const;
  return order.filled
    ? { ...shared, ...executedFigures(order, sent), bracketOrders: filledLegs(order) }
    : { ...shared, ...pendingFigures(order, sent), bracketOrders: waitingLegs(order, sent) };
}

/**
 * The nearest stop and target of the legs, and before the fill also of the order itself. A fill shows only attached
 * legs: a leg that was sent and refused protects no position. @rule D13.oneReading
 */
function levelsOf(order: NetworkOrder): Pick<OrderRecordItem, "stopLoss" | "takeProfit"> {
  const legs = [...(order.filled ? [] : [order]), ...(order.legs ?? [])];
  // The legs have the direction of the position. The order's own direction is the opposite one when it has reduced the
  // position.
  const type = legs[0]?.type ?? order.type;
  return nearestLevels({ direction: type === "SHORT" ? "SHORT" : "LONG" }, legs);
}

type Figures = Pick<
  OrderRecordItem,
  | "filled"
  | "quantity"
  | "value"
  | "leverage"
  | "bracketPct"
  | "price"
  | "slippage"
  | "realizedPnl"
  | "bindingCap"
  | "shortfall"
  | "excess"
>;

function executedFigures(order: NetworkOrder, { size }: SentPart): Figures {
  return {
    filled: true,
    quantity: magnitude(order.quantity),
    value: magnitude(inDollars(order.value)),
    leverage: magnitude(order.leverage),
    bracketPct: null,
    price: accountingPrice(order),
    slippage: order.slippage,
    realizedPnl: inDollars(order.realizedPnl),
    bindingCap: order.bindingCap === null ? null : capText(order.bindingCap),
    shortfall: cappedShortfall(order, size),
    excess: null,
  };
}

/** The text of a cap: the service's own words for a known one, else the network's label, cut to its maximum length. */
function capText(label: string): string {
  const cap = exposureCapOf(label);
  return cap === null ? label.slice(0, CAP_CHARACTERS_MAX) : exposureCapText(cap);
}

const CAP_CHARACTERS_MAX = 100;

/** The figures of an order that waits: the size that was sent, as the network holds it. */
function pendingFigures(order: NetworkOrder, { size, executionType }: SentPart): Figures {
  const held = heldSize(order);
  const sent = sentSizeFields(size);
  const inSent = (unit: keyof SentSizeFields) =>
    sent[unit] === null ? null : (held[unit] ?? sent[unit]);
  const entry: SentSizeFields = {
    quantity: inSent("quantity"),
    value: inSent("value"),
    leverage: inSent("leverage"),
    bracketPct: null,
  };
  return {
    filled: false,
    ...(executionType === "BRACKET" ? held : entry),
    price: null,
    slippage: null,
    realizedPnl: null,
    bindingCap: null,
    shortfall: null,
    excess: null,
  };
}

/**
 * The shortfall of a fill that a cap reduced, which is the only cause that the network names. Null without a cap, and
 * when the order was not sized by a quantity, because then the quantity that it should have filled is not known.
 * @rule D12.shortfall
 */
function cappedShortfall(
  { bindingCap, quantity }: NetworkOrder,
  size: LegSize | null,
): OrderRecordItem["shortfall"] {
  if (bindingCap === null || quantity === null || size?.kind !== "quantity") return null;
  const less = Number((size.lots - Math.abs(quantity)).toPrecision(12));
  return less > 0 ? { code: "cap", quantity: less } : null;
}

type Sizes = Pick<NetworkLeg, "quantity" | "value" | "leverage" | "bracketPct">;

/**
 * The sizes of an order or leg. The network sends 0 for the kinds of size that were not sent, and 0 becomes null here.
 * A leg for the whole position has no size.
 */
function heldSize({ quantity, value, leverage, bracketPct }: Sizes): SentSizeFields {
  const shown = (size: number | null) => (size === 0 ? null : magnitude(size));
  return {
    quantity: shown(quantity),
    value: shown(inDollars(value)),
    leverage: shown(leverage),
    bracketPct: bracketPct === 1 ? null : bracketPct,
  };
}

/**
 * The price with the slippage: a buyer pays the slippage on top, a seller gets that much less. Null when the side is
 * not known.
 */
function accountingPrice({ price, slippage, type, quantity }: NetworkOrder): number | null {
  if (price === null || slippage === null || slippage === 0) return price;
  const side = type === "LONG" ? 1 : type === "SHORT" ? -1 : Math.sign(quantity ?? 0);
  return side === 0 ? null : price * (1 + side * slippage);
}

/**
 * The legs of a fill. A leg without an id gets one by the network's rule: its parent's id and the leg's index.
 * @rule D10.legIds
 */
function filledLegs({ uuid, legs }: NetworkOrder): readonly AttachedLegItem[] | null {
  return legs === null
    ? null
    : legs.map((leg, place) => legView(leg, leg.uuid ?? `${uuid}-bracket-${place}`));
}

/**
 * The legs of an order that waits. A bracket's one leg is the order itself; the legs of an entry have no id before it
 * fills.
 */
function waitingLegs(
  order: NetworkOrder,
  { legs, executionType }: SentPart,
): readonly AttachedLegItem[] | null {
  if (executionType === "BRACKET") return [legView(order, order.uuid)];
  return legs.length === 0 ? null : legs.map((leg) => attachedLegView({ ...leg, orderUuid: null }));
}

function legView(leg: Omit<NetworkLeg, "uuid" | "type">, orderUuid: string): AttachedLegItem {
  const { stopLoss, takeProfit, trailingPercent, trailingValue } = leg;
  return { orderUuid, stopLoss, takeProfit, ...heldSize(leg), trailingPercent, trailingValue };
}

/** The part of an order that the client sent. */
interface SentPart
  extends Pick<
    OrderRecordItem,
    "orderType" | "executionType" | "limitPrice" | "stopPrice" | "stopCondition"
  > {
  readonly pair: string;
  readonly size: LegSize | null;
  readonly legs: readonly LegRequest[];
}

function sentPart(command: OrderingCommand): SentPart {
  if (placesEntry(command)) return entryPart(command);
  switch (command.type) {
    case "placeMarket": {
      const { pair, size, legs, direction } = command;
      const orderType = ORDER_TYPE_WORDS[direction];
      return { ...NO_KIND_FIELDS, pair, size, legs, orderType, executionType: "MARKET" };
    }
    case "closePair":
      return {
        ...NO_KIND_FIELDS,
        pair: command.pair,
        size: null,
        legs: [],
        orderType: "FLAT",
        executionType: "MARKET",
      };
    case "placeBracket":
      return legPart(command.pair, command.legs);
    case "editOrder": {
      const { replacement } = command;
      return replacement.type === "editLeg"
        ? legPart(replacement.pair, [replacement.leg])
        : entryPart(replacement);
    }
  }
}

function entryPart(order: PlaceEntry): SentPart {
  const { pair, size, legs, direction } = order;
  const executionType = PENDING_KIND_WORDS[KIND_PLACED[order.type]];
  const shared = { pair, size, legs, orderType: ORDER_TYPE_WORDS[direction] };
  return { ...commandKindFields(order), ...shared, executionType };
}

function legPart(pair: string, legs: readonly LegRequest[]): SentPart {
  const size = legs[0]?.size ?? null;
  return { ...NO_KIND_FIELDS, pair, size, legs, orderType: "LONG", executionType: "BRACKET" };
}

function magnitude(value: number | null): number | null {
  return value === null ? null : Math.abs(value);
}

function inDollars(value: MicroUsd | null): number | null {
  return value === null ? null : dollars(value);
}
