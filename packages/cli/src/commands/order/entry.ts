import { type Command, Option } from "commander";
import type { Terminal } from "../../terminal.ts";
import {
  entryLegFields,
  field,
  type LegOptions,
  legOptions,
  number,
  readSide,
  type SizeOptions,
  sizeFields,
  sizeOptions,
} from "./fields.ts";
import { type SendOptions, sendOptions, sendOrder } from "./send-order.ts";

interface EntryOptions extends SendOptions, SizeOptions, LegOptions {
  readonly price?: string;
  readonly trigger?: string;
  readonly when?: string;
}

/** `propgate order market`. */
export function addMarket(order: Command, terminal: Terminal): void {
  const command = sendOptions(legOptions(sizeOptions(order.command("market"))))
    .summary("buy or sell at once, or close a pair's position")
    .description(
      "Buy or sell at once. The side is long, short, or flat: flat closes the pair's position and takes no size.",
    )
    .argument("<pair>", "such as BTCUSD")
    .argument("<side>", "long, short or flat");
  command.action((pair: string, side: string) =>
    sendOrder<EntryOptions>({
      ...{ command, terminal },
      build: (options) => ({
        execution_type: "MARKET",
        trade_pair: pair,
        order_type: side.toLowerCase() === "flat" ? "FLAT" : readSide(side),
        ...sizeFields(options),
        ...entryLegFields(options),
      }),
    }),
  );
}

/** `propgate order limit`. */
export function addLimit(order: Command, terminal: Terminal): void {
  const command = sendOptions(legOptions(sizeOptions(order.command("limit"))))
    .summary("buy or sell at a price or better")
    .description("Rest until the price is there, and fill at it or better.")
    .argument("<pair>", "such as BTCUSD")
    .argument("<side>", "long or short")
    .requiredOption("--price <price>", "the worst price to fill at");
  command.action((pair: string, side: string) =>
    sendOrder<EntryOptions>({
      ...{ command, terminal },
      build: (options) => ({
        execution_type: "LIMIT",
        trade_pair: pair,
        order_type: readSide(side),
        ...sizeFields(options),
        ...field("limit_price", number("--price", options.price)),
        ...entryLegFields(options),
      }),
    }),
  );
}

/** `propgate order stop-limit`. */
export function addStopLimit(order: Command, terminal: Terminal): void {
  const command = sendOptions(legOptions(sizeOptions(order.command("stop-limit"))))
    .summary("a limit order that waits for a trigger price")
    .description("Wait until the mid price has passed the trigger, then be a limit order.")
    .argument("<pair>", "such as BTCUSD")
    .argument("<side>", "long or short")
    .requiredOption("--price <price>", "the worst price to fill at")
    .requiredOption("--trigger <price>", "the price that wakes it")
    .addOption(
      new Option("--when <side>", "above: at the trigger or higher; below: or lower")
        .choices(["above", "below"])
        .makeOptionMandatory(),
    );
  command.action((pair: string, side: string) =>
    sendOrder<EntryOptions>({
      ...{ command, terminal },
      build: (options) => ({
        execution_type: "STOP_LIMIT",
        trade_pair: pair,
        order_type: readSide(side),
        ...sizeFields(options),
        ...field("limit_price", number("--price", options.price)),
        ...field("stop_price", number("--trigger", options.trigger)),
        stop_condition: options.when === "above" ? "GTE" : "LTE",
        ...entryLegFields(options),
      }),
    }),
  );
}
