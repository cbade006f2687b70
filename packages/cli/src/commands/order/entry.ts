import { EXECUTION_TYPES, type ExecutionType } from "@propgate/contract";
import type { Command } from "commander";
import type { Terminal } from "../../terminal.ts";
import { addKindOptions, type FieldOptions, readKindFields } from "./field-options.ts";
import { readSide } from "./fields.ts";
import { addSendOptions, type SendOptions, sendOrder } from "./send-order.ts";

type EntryType = Exclude<ExecutionType, "BRACKET" | "LIMIT_CANCEL" | "LIMIT_EDIT" | "FLAT_ALL">;

interface EntryCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly side: string;
}

/**
 * The commands that place an order, such as `propgate order market`. The options of each follow from the fields of its
 * execution type.
 */
const ENTRIES: Readonly<Record<EntryType, EntryCommand>> = {
  MARKET: {
    name: "market",
    summary: "buy or sell immediately, or close a pair's position",
    description:
      "Buy or sell immediately. The side is long, short or flat; flat closes the pair's position and takes no size.",
    side: "long, short or flat",
  },
  LIMIT: {
    name: "limit",
    summary: "buy or sell at a price or better",
    description: "Stay pending until the market reaches the price, and fill at it or better.",
    side: "long or short",
  },
  STOP_LIMIT: {
    name: "stop-limit",
    summary: "a limit order that waits for a trigger price",
    description: "Wait until the mid price reaches the trigger, then become a limit order.",
    side: "long or short",
  },
};

/** Adds the commands that place an order to `propgate order`. */
export function addEntries(order: Command, terminal: Terminal): void {
  for (const type of EXECUTION_TYPES.filter(isEntry)) addEntry(order, terminal, type);
}

function isEntry(type: ExecutionType): type is EntryType {
  return Object.hasOwn(ENTRIES, type);
}

function addEntry(order: Command, terminal: Terminal, type: EntryType): void {
  const { name, summary, description, side: sides } = ENTRIES[type];
  const command = addSendOptions(addKindOptions(order.command(name), type))
    .summary(summary)
    .description(description)
    .argument("<pair>", "such as BTCUSD")
    .argument("<side>", sides);
  command.action((pair: string, side: string) =>
    sendOrder<FieldOptions & SendOptions>({
      command,
      terminal,
      build: (options) => ({
        execution_type: type,
        trade_pair: pair,
        order_type: type === "MARKET" && side.toLowerCase() === "flat" ? "FLAT" : readSide(side),
        ...readKindFields(type, options),
      }),
    }),
  );
}
