import {
  type ExecutionType,
  ORDER_TYPES,
  RESTING_EXECUTION_TYPES,
  STOP_CONDITIONS,
} from "@propgate/contract";
import { dollars, type MicroUsd, ratio } from "@propgate/core";
import type { LinkedOrder } from "../../dashboard/linked-readings.ts";
import { isRecord, type Literal, type LiteralRecord } from "../../python-literal.ts";
import { type RecordFields, recordFields } from "./record-fields.ts";

/** An order as the network has it: from the answer to the order, or from the account's readings. */
export interface NetworkOrder extends Omit<LinkedOrder, "legs" | "sourceOrSlippage"> {
  readonly filled: boolean;
  readonly slippage: number | null;
  readonly realizedPnl: MicroUsd | null;
  /** The label of the cap that reduced the fill; null when none did. */
  readonly bindingCap: string | null;
  /** The legs of the order; null when the network reports no legs. */
  readonly legs: readonly NetworkLeg[] | null;
}

/** A leg of an order; `uuid` is null when the network reports none. */
export interface NetworkLeg
  extends Pick<
    LinkedOrder,
    | "type"
    | "stopLoss"
    | "takeProfit"
    | "trailingPercent"
    | "trailingValue"
    | "quantity"
    | "value"
    | "leverage"
    | "bracketPct"
  > {
  readonly uuid: string | null;
}

/** The network's codes (`src`) of orders that wait: LIMIT, BRACKET and STOP_LIMIT. */
const UNFILLED: readonly number[] = [5, 8, 13];
/**
 * The network's codes (`src`) of orders that ended without a fill: a cancelled LIMIT, BRACKET and STOP_LIMIT, and an
 * order that an elimination cancelled.
 */
const CANCELLED: readonly number[] = [7, 10, 15, 18];

const EXECUTIONS = ["MARKET", ...RESTING_EXECUTION_TYPES] as const satisfies ExecutionType[];

/**
 * Reads the network's record of an order (`order_json`, parsed). Null when it is not the record of that order and pair,
 * when it has no time, when the order was cancelled, when the record does not show whether the order was filled, and
 * when it contradicts itself.
 */
export function networkOrder(
  record: LiteralRecord,
  wanted: { readonly orderUuid: string; readonly pair: string },
): NetworkOrder | null {
  const fields = recordFields(record);
  const uuid = fields.text("order_uuid");
  if (uuid === null || uuid !== wanted.orderUuid) return null;
  const [pair, display] = pairOf(fields);
  if (pair !== null && pair !== wanted.pair) return null;
  const filled = isFilled(fields);
  const processedMs = fields.time("processed_ms");
  if (filled === null || processedMs === null || contradictsItself(fields)) return null;
  return {
    uuid,
    filled,
    processedMs,
    pairDisplay: display,
    type: wordOf(ORDER_TYPES, fields.text("order_type")),
    executionType: wordOf(EXECUTIONS, fields.text("execution_type")),
    price: fields.positive("price"),
    slippage: fields.number("slippage"),
    realizedPnl: fields.money("realized_pnl"),
    limitPrice: fields.positive("limit_price"),
    stopPrice: fields.positive("stop_price"),
    stopCondition: wordOf(STOP_CONDITIONS, fields.text("stop_condition")),
    bindingCap: fields.text("binding_cap"),
    ...sharedFields(fields),
    ...trailingOf(trailingFields(fields)),
    legs: legsOf(fields),
  };
}

/** The numbers of units that a lot can have on the network. */
const LOTS = [1, 100, 5_000, 100_000] as const;
/**
 * The allowed deviation as a share of the lot: the network rounds sizes to its grid, and uses a conversion rate that is
 * a moment newer than the price.
 */
const LOT_TOLERANCE = 0.01;

/**
 * True when quantity × lot ÷ `usd_base_rate` is the order's value for none of `LOTS`. A closing order is not checked,
 * because it has the value of the entries instead.
 */
function contradictsItself(fields: RecordFields): boolean {
  const quantity = fields.number("quantity");
  const value = fields.money("value");
  const rate = fields.positive("usd_base_rate");
  if (quantity === null || quantity === 0 || value === null || value === 0) return false;
  const closes = fields.text("order_type") === "FLAT" || (fields.money("realized_pnl") ?? 0) !== 0;
  if (rate === null || closes) return false;
  const lot = Math.abs((dollars(value) * rate) / quantity);
  return !LOTS.some((one) => Math.abs(lot - one) <= LOT_TOLERANCE * one);
}

function isFilled(fields: RecordFields): boolean | null {
  const source = fields.number("src");
  const isPriced = fields.positive("price") !== null;
  if (source === null) return isPriced;
  if (CANCELLED.includes(source)) return null;
  if (UNFILLED.includes(source)) return false;
  return isPriced ? true : null;
}

function pairOf(fields: RecordFields): readonly [string | null, string | null] {
  const id = fields.text("trade_pair_id");
  const pair = fields.list("trade_pair") ?? [];
  const [listedId, display] = pair.map((one) => (typeof one === "string" ? one : null));
  return [id ?? listedId ?? fields.text("trade_pair"), display ?? null];
}

/**
 * The listed legs, or the one leg that the top-level fields became. Null without any leg, and for a BRACKET order
 * without listed legs, which is a leg itself.
 */
function legsOf(fields: RecordFields): readonly NetworkLeg[] | null {
  const listed = (fields.list("bracket_orders") ?? []).filter(isRecord);
  if (listed.length > 0) return listed.map(legOf);
  if (fields.text("execution_type")?.toUpperCase() === "BRACKET") return null;
  const trailing = trailingFields(fields);
  const hasLeg =
    trailing !== null ||
    fields.positive("stop_loss") !== null ||
    fields.positive("take_profit") !== null;
  if (!hasLeg) return null;
  const { stopLoss, takeProfit } = sharedFields(fields);
  return [
    {
      uuid: null,
      type: null,
      stopLoss,
      takeProfit,
      quantity: null,
      value: null,
      leverage: null,
      bracketPct: null,
      ...trailingOf(trailing),
    },
  ];
}

function legOf(record: LiteralRecord): NetworkLeg {
  const fields = recordFields(record);
  const trailing = trailingFields(fields) ?? fields;
  return {
    uuid: fields.text("order_uuid"),
    type: null,
    ...sharedFields(fields),
    ...trailingOf(trailing),
  };
}

function sharedFields(fields: RecordFields) {
  const share = fields.positive("bracket_pct");
  return {
    quantity: fields.number("quantity"),
    value: fields.money("value"),
    leverage: fields.number("leverage"),
    bracketPct: share === null ? null : ratio(share),
    stopLoss: fields.positive("stop_loss"),
    takeProfit: fields.positive("take_profit"),
  };
}

function trailingFields(fields: RecordFields): RecordFields | null {
  const trailing = fields.record("trailing_stop");
  return trailing === null ? null : recordFields(trailing);
}

function trailingOf(fields: RecordFields | null) {
  const percent = fields?.positive("trailing_percent") ?? null;
  return {
    trailingPercent: percent === null ? null : ratio(percent),
    trailingValue: fields?.positive("trailing_value") ?? null,
  };
}

function wordOf<const Word extends string>(words: readonly Word[], text: Literal): Word | null {
  if (typeof text !== "string") return null;
  const upper = text.toUpperCase();
  return words.find((word) => word === upper) ?? null;
}
