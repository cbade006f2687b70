import type { PendingOrder } from "@propgate/contract";
import type { BracketLegRequest, OrderSizing } from "@propgate/sdk";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import { allOptions, type FieldOptions } from "./field-options.ts";
import {
  field,
  number,
  type SizeOptions,
  shareField,
  sizeFields,
  type TradeFields,
  trailingStop,
} from "./fields.ts";
import { readListedLegs, sameLeg } from "./legs.ts";
import { itemNamed } from "./listed-id.ts";
import { restingOrders } from "./resting-orders.ts";
import { type SendOptions, sendOptions, sendOrder } from "./send-order.ts";

interface EditOptions extends SendOptions, Omit<FieldOptions, "stop" | "target"> {
  /** False with --no-stop; so for the next two. */
  readonly stop?: string | false;
  readonly target?: string | false;
  readonly trailing: boolean;
}

/** `propgate order edit`: the resting order again, with what is given changed. */
export function addEdit(order: Command, terminal: Terminal): void {
  const command = sendOptions(allOptions(order.command("edit"), ["stop_condition"]))
    .summary("change a resting order or a leg; the id stays")
    .description(
      "Read the resting order, change what is given, and send it whole: what is not given stays as it is.",
    )
    .argument("<order-id>", "an id of `propgate orders`, or its first characters")
    .option("--no-stop", "remove the stop")
    .option("--no-target", "remove the target")
    .option("--no-trailing", "remove the trailing stop")
    .option("--no-reduce-only", "may open a position or add to it again");
  command.action((id: string) =>
    sendOrder<EditOptions>({
      ...{ command, terminal },
      build: async (options, service) =>
        editFields(itemNamed(id, restingOrders(await service.pendingOrders())), options),
    }),
  );
}

function editFields(order: PendingOrder, options: EditOptions): TradeFields {
  refuseMisplaced(order, options);
  const which = {
    execution_type: "LIMIT_EDIT",
    order_uuid: order.orderUuid,
    trade_pair: order.tradePair,
    order_type: order.orderType,
  } as const;
  if (order.executionType === "BRACKET") {
    return { ...which, bracket_orders: [changedLeg(sameLeg(order), options)] };
  }
  return {
    ...which,
    ...size(order, options),
    ...field("limit_price", number("--price", options.price) ?? kept(order.limitPrice)),
    ...field("stop_price", number("--trigger", options.trigger) ?? kept(order.stopPrice)),
    ...field("stop_condition", order.stopCondition ?? undefined),
    ...((options.reduceOnly ?? order.reduceOnly) ? { reduce_only: true } : {}),
    ...legsOfEntry(order, options),
  };
}

/** The parts of an order that only one kind has: given for another, they would be ignored. */
function refuseMisplaced(order: PendingOrder, options: EditOptions): void {
  const isLeg = order.executionType === "BRACKET";
  if (isLeg && options.price !== undefined) {
    throw usageError("--price is for limit orders, and this is a leg", "Give --stop or --target.");
  }
  if (isLeg && options.leg !== undefined) {
    throw usageError("--leg is for orders with several legs, and this is one leg");
  }
  if (isLeg && options.reduceOnly !== undefined) {
    throw usageError("--reduce-only is for orders, and this is a leg, which always only reduces");
  }
  if (!isLeg && options.bracketPct !== undefined) {
    throw usageError("--share is for legs, and this is an order", "Give --quantity or --value.");
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

/** The legs that a resting entry will attach, sent again as they are but for what is given. */
function legsOfEntry(order: PendingOrder, options: EditOptions): Partial<TradeFields> {
  const listed = readListedLegs(options);
  if (listed !== null) return { bracket_orders: listed };
  const legs = (order.bracketOrders ?? []).map(sameLeg);
  if (legs.length > 1 && isAnyTriggerGiven(options)) {
    throw usageError(
      `this order has ${legs.length} legs: --stop, --target and --trailing-… do not say which`,
      "Give all of its legs with --leg, such as --leg stop=49000,share=0.5",
    );
  }
  if (legs.length > 1) return { bracket_orders: legs };
  const leg = { ...ownSize(legs[0] ?? {}), ...triggers(legs[0] ?? {}, options) };
  return Object.keys(leg).length === 0 ? {} : { bracket_orders: [leg] };
}

function isAnyTriggerGiven(options: EditOptions): boolean {
  const { stop, target, trailing, trailingPercent, trailingValue } = options;
  return (
    !trailing || [stop, target, trailingPercent, trailingValue].some((one) => one !== undefined)
  );
}

/** A leg of a position: its size is what the size options change. */
function changedLeg(leg: BracketLegRequest, options: EditOptions): BracketLegRequest {
  const given = { ...sizeFields(options), ...shareField(options) };
  const size = Object.keys(given).length > 0 ? given : ownSize(leg);
  return { ...size, ...triggers(leg, options) };
}

function ownSize({ quantity, value, leverage, bracket_pct }: BracketLegRequest): BracketLegRequest {
  return {
    ...field("quantity", quantity),
    ...field("value", value),
    ...field("leverage", leverage),
    ...field("bracket_pct", bracket_pct),
  };
}

function triggers(leg: BracketLegRequest, options: EditOptions): BracketLegRequest {
  const { stop, target } = options;
  return {
    ...field("stop_loss", stop === false ? undefined : (number("--stop", stop) ?? leg.stop_loss)),
    ...field(
      "take_profit",
      target === false ? undefined : (number("--target", target) ?? leg.take_profit),
    ),
    ...(trailingStop(options) ?? (options.trailing ? ownTrailing(leg) : {})),
  };
}

function ownTrailing({ trailing_percent, trailing_value }: BracketLegRequest): BracketLegRequest {
  return {
    ...field("trailing_percent", trailing_percent),
    ...field("trailing_value", trailing_value),
  };
}

function kept(value: number | null): number | undefined {
  return value ?? undefined;
}
