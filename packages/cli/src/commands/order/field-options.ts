import {
  type ChangedFields,
  type ExecutionType,
  fieldsOfKind,
  type OrderFieldName,
} from "@propgate/contract";
import { type Command, Option } from "commander";
import {
  type LegOptions,
  optionalField,
  readNumber,
  readTrailingStop,
  type SizeOptions,
  type TradeFields,
} from "./fields.ts";
import { type ListedLegOptions, readListedLegs } from "./legs.ts";

/** The values of the options for fields of an order, as commander returns them. */
export interface FieldOptions extends SizeOptions, LegOptions, ListedLegOptions {
  readonly bracketPct?: string;
  readonly price?: string;
  readonly trigger?: string;
  readonly when?: string;
  readonly reduceOnly?: boolean;
}

/** The fields that have an option. The other fields are arguments of the commands, or the command itself. */
export type OptionField = Exclude<
  OrderFieldName,
  "execution_type" | "trade_pair" | "order_type" | "order_uuid"
>;

interface FieldOption {
  options(): readonly Option[];
  read(options: FieldOptions): Partial<TradeFields>;
}

/** The options for each field of an order, in the order in which help lists them. */
const FIELD_OPTIONS: Readonly<Record<OptionField, FieldOption>> = {
  quantity: {
    options: () => [new Option("--quantity <lots>", "size in the pair's lot unit")],
    read: (given) => optionalField("quantity", readNumber("--quantity", given.quantity)),
  },
  value: {
    options: () => [new Option("--value <usd>", "size in USD")],
    read: (given) => optionalField("value", readNumber("--value", given.value)),
  },
  leverage: {
    options: () => [new Option("--leverage <x>", "size as a multiple of the balance")],
    read: (given) => optionalField("leverage", readNumber("--leverage", given.leverage)),
  },
  limit_price: {
    options: () => [new Option("--price <price>", "the worst price to fill at")],
    read: (given) => optionalField("limit_price", readNumber("--price", given.price)),
  },
  stop_price: {
    options: () => [new Option("--trigger <price>", "the price that triggers a stop-limit")],
    read: (given) => optionalField("stop_price", readNumber("--trigger", given.trigger)),
  },
  stop_condition: {
    options: () => [
      new Option("--when <side>", "above: at or above the trigger; below: at or below it").choices([
        "above",
        "below",
      ]),
    ],
    read: ({ when }) =>
      when === undefined ? {} : { stop_condition: when === "above" ? "GTE" : "LTE" },
  },
  stop_loss: {
    options: () => [new Option("--stop <price>", "close the position with a loss at this price")],
    read: (given) => optionalField("stop_loss", readNumber("--stop", given.stop)),
  },
  take_profit: {
    options: () => [new Option("--target <price>", "close the position with a gain at this price")],
    read: (given) => optionalField("take_profit", readNumber("--target", given.target)),
  },
  trailing_stop: {
    options: () => [
      new Option(
        "--trailing-percent <share>",
        "stop this share behind the best price: 0.02 is 2 %",
      ),
      new Option("--trailing-value <price>", "stop this far behind the best price"),
    ],
    read: (given) => optionalField("trailing_stop", readTrailingStop(given)),
  },
  bracket_pct: {
    options: () => [
      new Option("--share, --bracket-pct <share>", "size as a share of the position: 0.5"),
    ],
    read: (given) => optionalField("bracket_pct", readNumber("--share", given.bracketPct)),
  },
  bracket_orders: {
    options: () => [
      new Option(
        "--leg <fields>",
        "one of several legs, such as stop=49000,share=0.5; repeatable",
      ).argParser((text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        text,
      ]),
    ],
    read: (given) => optionalField("bracket_orders", readListedLegs(given) ?? undefined),
  },
  /** The service, not this command, checks that the order only reduces. @rule D10.reduceOnly */
  reduce_only: {
    options: () => [
      new Option("--reduce-only", "only reduce the position; never open or add to one"),
    ],
    read: (given) => optionalField("reduce_only", given.reduceOnly),
  },
};

/** Adds an option for every field of the kind; a field that the body must have is a required option. */
export function addKindOptions(command: Command, type: ExecutionType): Command {
  const fields = fieldsOfKind(type);
  for (const [name, option] of Object.entries(FIELD_OPTIONS)) {
    const isRequired = fields.get(name);
    if (isRequired === undefined) continue;
    for (const one of option.options()) command.addOption(one.makeOptionMandatory(isRequired));
  }
  return command;
}

/** Adds the options of every field except the named ones. None of the options is required. */
export function addAllOptions(command: Command, except: readonly OptionField[]): Command {
  const left: readonly string[] = except;
  for (const [name, option] of Object.entries(FIELD_OPTIONS)) {
    if (left.includes(name)) continue;
    for (const one of option.options()) command.addOption(one);
  }
  return command;
}

/** Reads the fields of this kind of order from the options. */
export function readKindFields(type: ExecutionType, given: FieldOptions): Partial<TradeFields> {
  const fields = fieldsOfKind(type);
  const parts = Object.entries(FIELD_OPTIONS).flatMap(([name, option]) =>
    fields.has(name) ? [option.read(given)] : [],
  );
  return Object.assign({}, ...parts);
}

/** Reads the fields of every kind of order from the options. */
export function readAllFields(given: FieldOptions): ChangedFields {
  return Object.assign({}, ...Object.values(FIELD_OPTIONS).map((option) => option.read(given)));
}

/** The option that gives a field, as a user types it; the field's own name when an argument gives it. */
export function optionOf(name: OrderFieldName): string {
  const [, option] = Object.entries(FIELD_OPTIONS).find(([field]) => field === name) ?? [];
  const [first] = option?.options() ?? [];
  return first?.short ?? first?.long ?? name;
}
