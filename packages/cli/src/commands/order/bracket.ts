import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import type { Terminal } from "../../terminal.ts";
import { type FieldOptions, kindOptions } from "./field-options.ts";
import { shareField, sizeFields, type TradeFields, trailingStop, triggerFields } from "./fields.ts";
import { readListedLegs } from "./legs.ts";
import { type SendOptions, sendOptions, sendOrder } from "./send-order.ts";

type BracketOptions = SendOptions & FieldOptions;

/** `propgate order bracket`: a stop or a target for a position that is open. */
export function addBracket(order: Command, terminal: Terminal): void {
  const command = sendOptions(kindOptions(order.command("bracket"), "BRACKET"))
    .summary("give an open position a stop or a target")
    .description(
      "Give the pair's open position a stop, a target, a trailing stop, or several of them. Without a " +
        "size a leg is for the whole position.",
    )
    .argument("<pair>", "such as BTCUSD");
  command.action((pair: string) =>
    sendOrder<BracketOptions>({
      ...{ command, terminal },
      build: (options) => bracketFields(pair, options),
    }),
  );
}

function bracketFields(pair: string, options: BracketOptions): TradeFields {
  const legs = readListedLegs(options);
  const size = { ...sizeFields(options), ...shareField(options) };
  if (legs !== null && Object.keys(size).length > 0) {
    throw usageError("with --leg each leg has its own size", "Such as --leg stop=49000,share=0.5");
  }
  const leg = { ...size, ...triggerFields(options), ...trailingStop(options) };
  return { execution_type: "BRACKET", trade_pair: pair, bracket_orders: legs ?? [leg] };
}
