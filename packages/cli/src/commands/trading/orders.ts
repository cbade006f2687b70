import { PENDING_ORDER, type PendingOrder } from "@propgate/contract";
import type { Command } from "commander";
import { table } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import { exact, money, multiple, percent, UNKNOWN } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { isTrailing, isWhole, legWords, trailingWords } from "../order/legs.ts";
import { addRead } from "./read-command.ts";

/** `propgate orders`: what rests. */
export function addOrders(program: Command, terminal: Terminal): void {
  addRead(program, terminal, {
    name: "orders",
    summary: "list resting orders and the legs of positions",
    description:
      "List resting orders and the stop and target legs of positions. The id is what " +
      "`propgate order edit` and `propgate order cancel` take.",
    run: async (service) => {
      const orders = await service.pendingOrders();
      return { value: orders, columns: columnsOf(PENDING_ORDER), lines: orderLines(orders) };
    },
  });
}

function orderLines(orders: readonly PendingOrder[]): readonly string[] {
  if (orders.length === 0) return ["Nothing rests."];
  const rows = orders.map((order) => [
    order.tradePairDisplay,
    order.orderType,
    order.executionType,
    sizeOf(order),
    exact(order.limitPrice),
    stopOf(order),
    exact(order.takeProfit),
  ]);
  const [head = "", ...lines] = table(COLUMNS, rows);
  if (lines.length !== rows.length) {
    return table(
      ["id", ...COLUMNS, "more"],
      orders.map((order, index) => [
        order.orderUuid,
        ...(rows[index] ?? []),
        [...notesOf(order), ...legsOf(order)].join("; "),
      ]),
    );
  }
  // An id is needed whole, and does not fit beside the rest.
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

/** The stop loss, and how far behind the best price it follows when it trails. */
function stopOf(order: PendingOrder): string {
  const stop = order.stopLoss === null ? [] : [exact(order.stopLoss)];
  const trailing = isTrailing(order) ? [trailingWords(order)] : [];
  const words = [...stop, ...trailing];
  return words.length === 0 ? UNKNOWN : words.join(", ");
}

/** What has no column: the trigger of a stop-limit, and that the order only reduces. */
function notesOf({ stopPrice, stopCondition, reduceOnly, executionType }: PendingOrder): string[] {
  const side = stopCondition === "GTE" ? "higher" : "lower";
  return [
    ...(stopPrice === null ? [] : [`waits for ${exact(stopPrice)} or ${side}`]),
    ...(reduceOnly && executionType !== "BRACKET" ? ["reduces only"] : []),
  ];
}

/** The columns tell one plain leg of an entry; more legs, or one with a size, have a line each. */
function legsOf({ bracketOrders }: PendingOrder): string[] {
  const legs = bracketOrders ?? [];
  const isTold = legs.length === 0 || (legs.length === 1 && legs.every(isWhole));
  return isTold ? [] : legs.map((leg) => `leg ${legWords(leg)}`);
}

/** As it was sent: of the three sizes only one is known while it rests. */
function sizeOf(order: PendingOrder): string {
  if (order.quantity !== null) return exact(order.quantity);
  if (order.value !== null) return `$${money(order.value)}`;
  if (order.leverage !== null) return multiple(order.leverage);
  if (order.bracketPct !== null) return percent(order.bracketPct * 100);
  return order.executionType === "BRACKET" ? "all" : UNKNOWN;
}
