import type { Command } from "commander";
import type { Terminal } from "../../terminal.ts";
import {
  field,
  type LegOptions,
  legOptions,
  number,
  type SizeOptions,
  sizeFields,
  sizeOptions,
  type TradeFields,
  triggerFields,
} from "./fields.ts";
import { type SendOptions, sendOptions, sendOrder } from "./send-order.ts";

interface BracketOptions extends SendOptions, SizeOptions, LegOptions {
  readonly share?: string;
}

/** `propgate order bracket`: a stop or a target for a position that is open. */
export function addBracket(order: Command, terminal: Terminal): void {
  const command = sendOptions(legOptions(sizeOptions(order.command("bracket"))))
    .summary("give an open position a stop or a target")
    .description(
      "Give the pair's open position a stop, a target, or both. Without a size it is for the whole position.",
    )
    .argument("<pair>", "such as BTCUSD")
    .option("--share <share>", "for a share of the position, such as 0.5");
  command.action((pair: string) =>
    sendOrder<BracketOptions>({
      ...{ command, terminal },
      build: (options) => bracketFields(pair, options),
    }),
  );
}

function bracketFields(pair: string, options: BracketOptions): TradeFields {
  const leg = {
    ...sizeFields(options),
    ...triggerFields(options),
    ...field("trailing_percent", number("--trailing-percent", options.trailingPercent)),
    ...field("trailing_value", number("--trailing-value", options.trailingValue)),
    ...field("bracket_pct", number("--share", options.share)),
  };
  return { execution_type: "BRACKET", trade_pair: pair, bracket_orders: [leg] };
}
