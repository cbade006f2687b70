import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import { addKindOptions, type FieldOptions, readKindFields } from "./field-options.ts";
import type { TradeFields } from "./fields.ts";
import { addSendOptions, type SendOptions, sendOrder } from "./send-order.ts";

type BracketOptions = SendOptions & FieldOptions;

/** `propgate order bracket`: attaches legs to an open position. */
export function addBracket(order: Command, terminal: Terminal): void {
  const command = addSendOptions(addKindOptions(order.command("bracket"), "BRACKET"))
    .summary("attach a stop or a target to an open position")
    .description(
      "Attach a stop, a target, a trailing stop, or several of them to the pair's open position. A leg " +
        "without a size is for the whole position.",
    )
    .argument("<pair>", "such as BTCUSD");
  command.action((pair: string) =>
    sendOrder<BracketOptions>({
      command,
      terminal,
      build: (options) => bracketFields(pair, options),
    }),
  );
}

function bracketFields(pair: string, options: BracketOptions): TradeFields {
  const fields = readKindFields("BRACKET", options);
  const { bracket_orders, ...single } = fields;
  if (bracket_orders !== undefined && Object.keys(single).length > 0) {
    throw usageError("with --leg each leg has its own size", "Such as --leg stop=49000,share=0.5");
  }
  return { ...fields, execution_type: "BRACKET", trade_pair: pair };
}
