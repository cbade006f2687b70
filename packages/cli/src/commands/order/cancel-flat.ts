import type { Linked, PositionItem } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import type { TradingService } from "../../trading/service.ts";
import { optionalField, type TradeFields } from "./fields.ts";
import { areCompleteIds, completeIds, type IdList } from "./listed-id.ts";
import { orderIdList } from "./listed-orders.ts";
import { addSendOptions, type SendOptions, sendOrder } from "./send-order.ts";

interface CancelOptions extends SendOptions {
  readonly all?: boolean;
  readonly pair?: string;
}

/** `propgate order cancel`: cancels pending orders and legs. */
export function addCancel(order: Command, terminal: Terminal): void {
  const command = addSendOptions(order.command("cancel"))
    .summary("cancel pending orders and legs")
    .description("Cancel the orders and legs with these ids, or all of them with --all.")
    .argument("[order-id...]", "ids of `propgate orders`, or their first characters")
    .option("--all", "all pending orders and legs")
    .option("--pair <pair>", "with --all: only this pair's orders");
  command.action((ids: readonly string[]) =>
    sendOrder<CancelOptions>({
      command,
      terminal,
      build: (options, service) => cancelFields(ids, options, service),
    }),
  );
}

async function cancelFields(
  ids: readonly string[],
  options: CancelOptions,
  service: TradingService,
): Promise<TradeFields> {
  const all = options.all === true;
  if (all === ids.length > 0) {
    throw usageError(
      all ? "--all and ids exclude each other" : "no order was named",
      "Name ids of `propgate orders`, or use --all.",
    );
  }
  if (options.pair !== undefined && !all) throw usageError("--pair is for --all only");
  const named = areCompleteIds(ids)
    ? ids
    : completeIds(ids, orderIdList(await service.pendingOrders()));
  return {
    execution_type: "LIMIT_CANCEL",
    order_uuid: all ? "ALL" : named.join(","),
    ...optionalField("trade_pair", options.pair),
  };
}

interface FlatOptions extends SendOptions {
  readonly pair?: string;
}

/** `propgate order flat`: closes positions at the market. */
export function addFlat(order: Command, terminal: Terminal): void {
  const command = addSendOptions(order.command("flat"))
    .summary("close every position, or the named ones, at the market")
    .description(
      "Close every open position at the market, one pair's, or those with these ids. Entry orders stay " +
        "pending. Ends with 1 when a position stays open.",
    )
    .argument("[position-id...]", "ids of `propgate positions`; all without an id")
    .option("--pair <pair>", "this pair's positions only");
  command.action((ids: readonly string[]) =>
    sendOrder<FlatOptions>({
      command,
      terminal,
      build: (options, service) => flatFields(ids, options, service),
    }),
  );
}

async function flatFields(
  ids: readonly string[],
  { pair }: FlatOptions,
  service: TradingService,
): Promise<TradeFields> {
  if (ids.length > 0 && pair !== undefined) throw usageError("--pair and ids exclude each other");
  const named = areCompleteIds(ids)
    ? ids
    : completeIds(ids, openPositions(await service.positions()));
  return {
    execution_type: "FLAT_ALL",
    ...optionalField("order_uuid", named.length === 0 ? undefined : named.join(",")),
    ...optionalField("trade_pair", pair),
  };
}

function openPositions(positions: readonly PositionItem<Linked>[]): IdList<PositionItem<Linked>> {
  return {
    itemName: "position",
    items: positions,
    idOf: ({ positionUuid }) => positionUuid,
    notFoundText: (id) => `no open position has the id ${id}`,
    listHint: "List positions with: propgate positions.",
  };
}
