import { editTrade, type PendingOrder } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import { addAllOptions, type FieldOptions, optionOf, readAllFields } from "./field-options.ts";
import type { TradeFields } from "./fields.ts";
import { findItem } from "./listed-id.ts";
import { orderIdList } from "./listed-orders.ts";
import { addSendOptions, type SendOptions, sendOrder } from "./send-order.ts";

interface EditOptions extends SendOptions, FieldOptions {
  /** False with --no-trailing, which removes the trailing stop. */
  readonly trailing: boolean;
}

/** `propgate order edit`: sends a pending order again with the given changes. */
export function addEdit(order: Command, terminal: Terminal): void {
  const command = addSendOptions(addAllOptions(order.command("edit"), ["stop_condition"]))
    .summary("change a pending order or a leg; the id stays")
    .description(
      "Read the pending order, change the given fields, and send the whole order again. Other fields keep their values.",
    )
    .argument("<order-id>", "an id of `propgate orders`, or its first characters")
    .option("--no-stop", "remove the stop")
    .option("--no-target", "remove the target")
    .option("--no-trailing", "remove the trailing stop")
    .option("--no-reduce-only", "allow the order to open or add to a position");
  command.action((id: string) =>
    sendOrder<EditOptions>({
      command,
      terminal,
      build: async (options, service) =>
        editFields(findItem(id, orderIdList(await service.pendingOrders())), options),
    }),
  );
}

function editFields(order: PendingOrder, options: EditOptions): TradeFields {
  const { stop, target, trailing } = options;
  const edited = editTrade(order, {
    fields: readAllFields(options),
    removed: [
      ...(stop === false ? (["stop_loss"] as const) : []),
      ...(target === false ? (["take_profit"] as const) : []),
      ...(trailing ? [] : (["trailing_stop"] as const)),
    ],
  });
  if ("trade" in edited) return edited.trade;
  if ("legs" in edited) {
    throw usageError(
      `this order has ${edited.legs} legs: --stop, --target and --trailing-… do not say which`,
      "Give all of its legs with --leg, such as --leg stop=49000,share=0.5",
    );
  }
  const kind = order.executionType === "BRACKET" ? "a leg" : `a ${order.executionType} order`;
  throw usageError(`${optionOf(edited.misplaced)} does not apply to ${kind}`);
}
