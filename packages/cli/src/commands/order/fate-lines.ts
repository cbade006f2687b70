import type { AttachedLegItem, FillItem, OrderRecordItem, OrderResult } from "@propgate/contract";
import type { AcceptedOrder, OrderOutcome } from "@propgate/sdk";
import { nameValueLines, TABLE_WIDTH, wrapText } from "../../output.ts";
import {
  decimalText,
  moneyText,
  multipleText,
  signedMoneyText,
  timeText,
} from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";
import { isUnreadable } from "../../unreadable-answer.ts";
import { evidenceLines } from "./evidence.ts";
import { legText } from "./legs.ts";

/** The colors of the lines about a fate, and the words with which they name a command. */
export interface FateStyle {
  readonly paint: Paint;
  /** The words before a command's name, `propgate` or `npm run propgate --`. */
  readonly invocation: string;
}

/**
 * The lines about the fate of an order: the fate in one word, the evidence for it, and the order or the next step. When
 * the answer of an accepted order cannot be read, the fate is still printed as accepted.
 */
export function fateLines(outcome: OrderOutcome, style: FateStyle): readonly string[] {
  try {
    return outcomeLines(outcome, style);
  } catch (error) {
    if (!isUnreadable(error) || outcome.fate !== "accepted") throw error;
    return [
      style.paint.good("accepted"),
      UNREADABLE,
      ...nameValueLines([["nonce", outcome.nonce]]),
    ];
  }
}

const UNREADABLE =
  "Its answer has another form than this command knows; --json prints it as it is.";

function outcomeLines(outcome: OrderOutcome, style: FateStyle): readonly string[] {
  const { paint, invocation } = style;
  const evidence = evidenceLines(outcome).flatMap((line) => bullet(line));
  switch (outcome.fate) {
    case "accepted":
      return [...acceptedLines(outcome, paint), ...evidence];
    case "rejected":
      return [
        ...headedLines(paint.bad("rejected"), outcome.reason),
        "Nothing was changed.",
        ...nameValueLines([
          ...(outcome.refusalCode === null ? [] : [["code", outcome.refusalCode] as const]),
          ["nonce", outcome.nonce],
        ]),
        ...evidence,
      ];
    case "unknown":
      return [
        ...headedLines(paint.warn("unknown"), outcome.reason),
        "The service may have accepted it. Do not send it again; find out its fate:",
        `  ${invocation} settle ${outcome.nonce}`,
        ...nameValueLines([["nonce", outcome.nonce]]),
        ...evidence,
      ];
  }
}

function acceptedLines({ result, nonce }: AcceptedOrder, paint: Paint): readonly string[] {
  if (result === null)
    return [paint.good("accepted"), ...FOUND_IN_LISTS_NOTE, ...nameValueLines([["nonce", nonce]])];
  const head = isPartial(result)
    ? headedLines(paint.warn(result.status), result.error_message)
    : [paint.good("accepted")];
  return [...head, ...nameValueLines([...resultEntries(result), ["nonce", nonce]])];
}

/** True when the service carried out only a part of the request. @rule D10.flattenAll */
export function isPartial({ success }: OrderResult): boolean {
  return success === false;
}

const FOUND_IN_LISTS_NOTE = ["Its answer was lost; the account lists it."];

function headedLines(word: string, reason: string): readonly string[] {
  const [first = "", ...rest] = wrapText(reason, TABLE_WIDTH - 12);
  return [`${word}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

function bullet(text: string): readonly string[] {
  const [first = "", ...rest] = wrapText(text, TABLE_WIDTH - 4);
  return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
}

type NamedValue = readonly [name: string, value: string];

function resultEntries(result: OrderResult): readonly NamedValue[] {
  const { order } = result;
  const message: readonly NamedValue[] = result.message === "" ? [] : [["message", result.message]];
  const ids: readonly NamedValue[] = result.order_uuid === "" ? [] : [["id", result.order_uuid]];
  return [...ids, ...(order === null ? listEntries(result) : orderEntries(order)), ...message];
}

/**
 * The results of a request that cancels several orders or closes several positions: the pairs closed, the positions
 * that stay open and the ids not found.
 */
function listEntries({ closed, stayed, notFound }: OrderResult): readonly NamedValue[] {
  return [
    ...(closed ?? []).map(({ tradePair }): NamedValue => ["closed", tradePair]),
    ...(stayed ?? []).map(
      ({ tradePair, reason }): NamedValue => ["stays open", `${tradePair}: ${reason}`],
    ),
    ...(notFound ?? []).map((id): NamedValue => ["not found", id]),
  ];
}

function orderEntries(order: OrderRecordItem): readonly NamedValue[] {
  const prices: readonly (readonly [string, number | null | undefined])[] = [
    ["price", order.price],
    ["limit", order.limitPrice],
    ["trigger", order.stopPrice],
    ["stop", order.stopLoss],
    ["target", order.takeProfit],
  ];
  const isLeg = order.executionType === "BRACKET";
  return [
    ["order", `${order.executionType} ${order.orderType} ${order.tradePairDisplay}`],
    ["state", order.filled ? "filled" : "pending"],
    ...(order.reduceOnly && !isLeg ? [["reduces only", "yes"] as const] : []),
    ...sizeEntries(order),
    ...prices.flatMap(([name, value]) =>
      isKnown(value) ? [[name, decimalText(value)] as const] : [],
    ),
    ...(isKnown(order.fee) ? [["fee", moneyText(order.fee)] as const] : []),
    ...(isKnown(order.realizedPnl)
      ? [["realized", signedMoneyText(order.realizedPnl)] as const]
      : []),
    ...(order.bindingCap === null ? [] : [["reduced by", order.bindingCap] as const]),
    ...differenceEntries(order),
    ...(order.bracketOrders ?? []).map((leg): NamedValue => ["leg", legEntry(leg)]),
    ["at", timeText(order.processedMs)],
  ];
}

/** The rows for a fill that differs from its order's size. @rule D12.shortfall */
export function differenceEntries({
  shortfall,
  excess,
}: Pick<FillItem["data"], "shortfall" | "excess">): readonly NamedValue[] {
  return [
    ...(shortfall === null ? [] : [differenceEntry("less than its size", shortfall)]),
    ...(excess === null ? [] : [differenceEntry("more than its size", excess)]),
  ];
}

function differenceEntry(name: string, of: { readonly code: string; readonly quantity: number }) {
  return [name, `${decimalText(of.quantity)}, ${of.code}`] as const;
}

/** A leg in words, after its id. A leg has an id as soon as it is attached. @rule D10.legIds */
function legEntry(leg: AttachedLegItem): string {
  return leg.orderUuid === null ? legText(leg) : `${leg.orderUuid} ${legText(leg)}`;
}

function sizeEntries(order: OrderRecordItem): readonly NamedValue[] {
  return [
    ...(isKnown(order.quantity) ? [["quantity", decimalText(order.quantity)] as const] : []),
    ...(isKnown(order.value) ? [["value", moneyText(order.value)] as const] : []),
    ...(isKnown(order.leverage) ? [["leverage", multipleText(order.leverage)] as const] : []),
  ];
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}
