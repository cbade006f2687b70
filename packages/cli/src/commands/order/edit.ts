import type { PendingOrder } from "@propgate/contract";
import type { BracketLegRequest, OrderSizing } from "@propgate/sdk";
import type { Command } from "commander";
import { CliError, EXIT, usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import {
  field,
  number,
  type SizeOptions,
  sizeFields,
  sizeOptions,
  type TradeFields,
} from "./fields.ts";
import { type SendOptions, sendOptions, sendOrder } from "./send-order.ts";

interface EditOptions extends SendOptions, SizeOptions {
  readonly price?: string;
  readonly trigger?: string;
  readonly stop?: string;
  readonly target?: string;
}

/** `propgate order edit`: the resting order again, with what is given changed. */
export function addEdit(order: Command, terminal: Terminal): void {
  const command = sendOptions(sizeOptions(order.command("edit")))
    .summary("change a resting order or a leg; the id stays")
    .description(
      "Read the resting order, change what is given, and send it whole: what is not given stays as it is.",
    )
    .argument("<order-id>", "an id of `propgate orders`")
    .option("--price <price>", "the worst price to fill at")
    .option("--trigger <price>", "the price that wakes a stop-limit")
    .option("--stop <price>", "close the position at a loss here")
    .option("--target <price>", "close the position with a gain here");
  command.action((id: string) =>
    sendOrder<EditOptions>({
      ...{ command, terminal },
      build: async (options, service) =>
        editFields(find(await service.pendingOrders(), id), options),
    }),
  );
}

function find(orders: readonly PendingOrder[], id: string): PendingOrder {
  const found = orders.find(({ orderUuid }) => orderUuid === id);
  if (found !== undefined) return found;
  throw new CliError({
    message: `no resting order has the id ${id}: it was filled, cancelled or never there`,
    fix: "See what rests with: propgate orders",
    exitCode: EXIT.refused,
  });
}

export function editFields(order: PendingOrder, options: EditOptions): TradeFields {
  refuseMisplaced(order, options);
  const which = {
    execution_type: "LIMIT_EDIT",
    order_uuid: order.orderUuid,
    trade_pair: order.tradePair,
    order_type: order.orderType,
  } as const;
  const triggers = {
    ...field("stop_loss", number("--stop", options.stop) ?? kept(order.stopLoss)),
    ...field("take_profit", number("--target", options.target) ?? kept(order.takeProfit)),
  };
  if (order.executionType === "BRACKET") {
    return {
      ...which,
      bracket_orders: [{ ...triggers, ...legSize(order, options), ...(trailing(order) ?? {}) }],
    };
  }
  return {
    ...which,
    ...size(order, options),
    ...field("limit_price", number("--price", options.price) ?? kept(order.limitPrice)),
    ...field("stop_price", number("--trigger", options.trigger) ?? kept(order.stopPrice)),
    ...field("stop_condition", order.stopCondition ?? undefined),
    ...triggers,
    ...field("trailing_stop", trailing(order) ?? undefined),
  };
}

/** What is no part of the order would be ignored or make it another kind. */
function refuseMisplaced(order: PendingOrder, options: EditOptions): void {
  if (order.executionType === "BRACKET" && options.price !== undefined) {
    throw usageError("--price is for limit orders, and this is a leg", "Give --stop or --target.");
  }
  if (order.stopPrice === null && options.trigger !== undefined) {
    throw usageError("--trigger is for stop-limits that still wait for theirs, and this is none");
  }
}

function size(order: PendingOrder, options: SizeOptions): OrderSizing {
  const given = sizeFields(options);
  if (Object.keys(given).length > 0) return given;
  return {
    ...field("quantity", kept(order.quantity)),
    ...field("value", kept(order.value)),
    ...field("leverage", kept(order.leverage)),
  };
}

function legSize(order: PendingOrder, options: SizeOptions): BracketLegRequest {
  const given = sizeFields(options);
  if (Object.keys(given).length > 0 || order.bracketPct === null) return size(order, options);
  return { bracket_pct: order.bracketPct };
}

function trailing(order: PendingOrder): TradeFields["trailing_stop"] | null {
  if (order.trailingPercent !== null) return { trailing_percent: order.trailingPercent };
  return order.trailingValue === null ? null : { trailing_value: order.trailingValue };
}

function kept(value: number | null): number | undefined {
  return value ?? undefined;
}
