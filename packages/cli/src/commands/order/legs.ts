import type { AttachedLegItem, PendingOrder } from "@propgate/contract";
import type { BracketLegRequest } from "@propgate/sdk";
import { usageError } from "../../cli-error.ts";
import {
  decimalText,
  moneyText,
  multipleText,
  percentText,
  UNKNOWN_TEXT,
} from "../../render/figures.ts";
import { type LegOptions, readNumber } from "./fields.ts";

/** The option of several legs: `--leg stop=49000,share=0.5 --leg target=52000,share=0.5`. */
export interface ListedLegOptions {
  readonly leg?: readonly string[];
}

/** The word of `--leg` for each field of a leg. */
const LEG_OPTION_NAMES: Readonly<Record<keyof BracketLegRequest, string>> = {
  stop_loss: "stop",
  take_profit: "target",
  trailing_percent: "trailing-percent",
  trailing_value: "trailing-value",
  bracket_pct: "share",
  quantity: "quantity",
  value: "value",
  leverage: "leverage",
};
const LEG_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries(LEG_OPTION_NAMES).map(([name, word]) => [word, name]),
);

/** The legs of `--leg`; null without it. Rejects `--leg` together with the options of a single leg. */
export function readListedLegs(
  options: ListedLegOptions & { readonly [Name in keyof LegOptions]?: unknown },
): readonly BracketLegRequest[] | null {
  if (options.leg === undefined) return null;
  const [single] = LEG_OPTIONS.filter(([name]) => options[name] !== undefined);
  if (single !== undefined) {
    throw usageError(
      `--leg and ${single[1]} exclude each other`,
      "Give every leg with --leg, or a single leg with the other options.",
    );
  }
  return options.leg.map(readLeg);
}

const LEG_OPTIONS = [
  ["stop", "--stop"],
  ["target", "--target"],
  ["trailingPercent", "--trailing-percent"],
  ["trailingValue", "--trailing-value"],
] as const;

function readLeg(text: string): BracketLegRequest {
  const fields = new Map<string, number>();
  for (const part of text.split(",")) {
    const [, word = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(part.trim()) ?? [];
    const name = LEG_FIELDS.get(word);
    if (name === undefined) {
      throw usageError(
        `--leg has no field ${JSON.stringify(word)}`,
        `It takes ${[...LEG_FIELDS.keys()].join(", ")}, such as --leg stop=49000,share=0.5`,
      );
    }
    if (fields.has(name)) throw usageError(`--leg has ${word} twice: ${text}`);
    fields.set(name, readNumber(`--leg ${word}`, value) ?? 0);
  }
  return Object.fromEntries(fields);
}

/** The figures of a leg, whether a position or a pending entry has it. */
export type LegFigures = Omit<AttachedLegItem, "orderUuid">;

/** A leg in words: `stop 49,000, target 52,000, trails by 3.00%, for 50.00% of the position`. */
export function legText(leg: LegFigures): string {
  const words = [
    ...(leg.stopLoss === null ? [] : [`stop ${decimalText(leg.stopLoss)}`]),
    ...(leg.takeProfit === null ? [] : [`target ${decimalText(leg.takeProfit)}`]),
    ...(isTrailing(leg) ? [trailingText(leg)] : []),
  ];
  const size = legSize(leg);
  return [...words, ...(size === null ? [] : [`for ${size}`])].join(", ");
}

type Trailing = Pick<LegFigures, "trailingPercent" | "trailingValue">;

/** True when the leg has a trailing stop. */
export function isTrailing({ trailingPercent, trailingValue }: Trailing): boolean {
  return trailingPercent !== null || trailingValue !== null;
}

/**
 * The distance of a trailing stop in words: `trails by 3.00%` of the best price, or `trails by 1,500` in price units.
 */
function trailingText({ trailingPercent, trailingValue }: Trailing): string {
  if (trailingPercent !== null) return `trails by ${percentText(trailingPercent * 100)}`;
  return trailingValue === null ? UNKNOWN_TEXT : `trails by ${decimalText(trailingValue)}`;
}

/** The distance with the price at which the stop triggers at the moment: `trails by 3.00%, stop now 48,500`. */
export function currentTrailingText(leg: Trailing & Pick<PendingOrder, "currentStop">): string {
  const words = trailingText(leg);
  return leg.currentStop === null ? words : `${words}, stop now ${decimalText(leg.currentStop)}`;
}

type LegSize = Pick<LegFigures, "quantity" | "value" | "leverage" | "bracketPct">;

/** True for a leg that closes the whole position. */
export function closesWholePosition(leg: LegSize): boolean {
  return legSize(leg) === null;
}

/** The size of a leg in words; null for a leg that closes the whole position. */
function legSize({ quantity, value, leverage, bracketPct }: LegSize): string | null {
  if (quantity !== null) return decimalText(quantity);
  if (value !== null) return `$${moneyText(value)}`;
  if (leverage !== null) return multipleText(leverage);
  return bracketPct === null ? null : `${percentText(bracketPct * 100)} of the position`;
}
