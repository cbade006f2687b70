import { PENDING_ORDER, type PendingOrder } from "@propgate/contract";
import type { Command } from "commander";
import { tableLines } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import {
  decimalText,
  moneyText,
  multipleText,
  percentText,
  UNKNOWN_TEXT,
} from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { closesWholePosition, currentTrailingText, isTrailing, legText } from "../order/legs.ts";
import { addReadCommand } from "./read-command.ts";

/** `propgate orders`: lists pending orders. */
export function addOrders(program: Command, terminal: Terminal): void {
  addReadCommand(program, terminal, {
    name: "orders",
    summary: "list pending orders and the legs of positions",
    description:
      "List pending orders and the stop and target legs of positions. Pass the id to " +
      "`propgate order edit` and `propgate order cancel`.",
    run: async (service) => {
      const orders = await service.pendingOrders();
      return { value: orders, columns: columnsOf(PENDING_ORDER), lines: orderLines(orders) };
    },
  });
}

function orderLines(orders: readonly PendingOrder[]): readonly string[] {
  if (orders.length === 0) return ["No pending orders."];
  const rows = orders.map((order) => [
    order.tradePairDisplay,
    order.orderType,
    order.executionType,
    sizeOf(order),
    decimalText(order.limitPrice),
    stopOf(order),
    decimalText(order.takeProfit),
  ]);
  const [head = "", ...lines] = tableLines(COLUMNS, rows);
  if (lines.length !== rows.length) {
    return tableLines(
      ["id", ...COLUMNS, "more"],
      orders.map((order, index) => [
        order.orderUuid,
        ...(rows[index] ?? []),
        [...notesOf(order), ...legsOf(order)].join("; "),
      ]),
    );
  }
  // With the complete id the table is too wide, so the id gets a line of its own.
  return [
    head,
    ...orders.flatMap((order, index) => [
      lines[index] ?? "",
      `  ${[order.orderUuid, notesOf(order).join(", ")].join("  ").trimEnd()}`,
      ...legsOf(order).map((leg) => `    ${leg}`),
    ]),
  ];
}

const COLUMNS = ["pair", "side", "kind", "size", "limit", "stop", "target"];

/** The price of the stop, and the distance and the present price of a trailing stop; `--` without a stop. */
function stopOf(order: PendingOrder): string {
  const stop = order.stopLoss === null ? [] : [decimalText(order.stopLoss)];
  const trailing = isTrailing(order) ? [currentTrailingText(order)] : [];
  const words = [...stop, ...trailing];
  return words.length === 0 ? UNKNOWN_TEXT : words.join(", ");
}

/** Notes for fields without a column: the trigger of a STOP_LIMIT, and `reduce_only`. */
function notesOf({ stopPrice, stopCondition, reduceOnly, executionType }: PendingOrder): string[] {
  const side = stopCondition === "GTE" ? "higher" : "lower";
  return [
    ...(stopPrice === null ? [] : [`waits for ${decimalText(stopPrice)} or ${side}`]),
    ...(reduceOnly && executionType !== "BRACKET" ? ["reduces only"] : []),
  ];
}

/** Lines for the legs of an entry; none when the columns already show its only leg. */
function legsOf({ bracketOrders }: PendingOrder): string[] {
  const legs = bracketOrders ?? [];
  const isInColumns = legs.length === 0 || (legs.length === 1 && legs.every(closesWholePosition));
  return isInColumns ? [] : legs.map((leg) => `leg ${legText(leg)}`);
}

/**
 * The size of a pending order in the unit in which it was sent. `all` for a leg of the whole position, `--` when
 * unknown.
 */
function sizeOf(order: PendingOrder): string {
  if (order.quantity !== null) return decimalText(order.quantity);
  if (order.value !== null) return `$${moneyText(order.value)}`;
  if (order.leverage !== null) return multipleText(order.leverage);
  if (order.bracketPct !== null) return percentText(order.bracketPct * 100);
  return order.executionType === "BRACKET" ? "all" : UNKNOWN_TEXT;
}
