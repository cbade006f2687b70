import type { PendingOrder } from "@propgate/contract";
import type { Command } from "commander";
import { table } from "../../output.ts";
import { exact, money, multiple, percent, UNKNOWN } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
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
      return { value: orders, lines: orderLines(orders) };
    },
  });
}

export function orderLines(orders: readonly PendingOrder[]): readonly string[] {
  if (orders.length === 0) return ["Nothing rests."];
  const rows = orders.map((order) => [
    order.tradePairDisplay,
    order.orderType,
    order.executionType,
    sizeOf(order),
    exact(order.limitPrice),
    exact(order.stopPrice ?? order.stopLoss),
    exact(order.takeProfit),
  ]);
  const [head = "", ...lines] = table(COLUMNS, rows);
  const ids = orders.map((order) => order.orderUuid);
  if (lines.length !== rows.length) {
    return table(
      ["id", ...COLUMNS],
      rows.map((row, index) => [ids[index] ?? "", ...row]),
    );
  }
  // An id is needed whole, and does not fit beside the rest.
  return [head, ...lines.flatMap((line, index) => [line, `  ${ids[index] ?? ""}`])];
}

const COLUMNS = ["pair", "side", "kind", "size", "limit", "stop", "target"];

/** As it was sent: of the three sizes only one is known while it rests. */
export function sizeOf(order: PendingOrder): string {
  if (order.quantity !== null) return exact(order.quantity);
  if (order.value !== null) return `$${money(order.value)}`;
  if (order.leverage !== null) return multiple(order.leverage);
  return order.bracketPct === null ? UNKNOWN : percent(order.bracketPct * 100);
}
