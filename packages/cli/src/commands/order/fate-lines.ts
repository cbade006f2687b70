import type { OrderResult } from "@propgate/contract";
import type { OrderOutcome } from "@propgate/sdk";
import { pairs, TABLE_WIDTH, wrap } from "../../output.ts";
import { exact, money, multiple, signedMoney, time } from "../../render/figures.ts";
import type { Paint } from "../../render/paint.ts";
import { evidenceLines } from "./evidence.ts";

/** What became of an order: one word, how that is known, and what it is now or what to do. */
export function fateLines(outcome: OrderOutcome, paint: Paint): readonly string[] {
  const evidence = evidenceLines(outcome).flatMap((line) => bullet(line));
  switch (outcome.fate) {
    case "accepted":
      return [
        paint.good("accepted"),
        ...(outcome.result === null ? IN_THE_LISTS : resultLines(outcome.result)),
        ...evidence,
      ];
    case "rejected":
      return [...headed(paint.bad("rejected"), outcome.reason), "It changed nothing.", ...evidence];
    case "unknown":
      return [
        ...headed(paint.warn("unknown"), outcome.reason),
        "The order may stand, or not. Look before you send it again:",
        "  propgate positions",
        "  propgate orders",
        `Its nonce is ${outcome.nonce}`,
        ...evidence,
      ];
  }
}

const IN_THE_LISTS = ["Its answer was lost; the account lists it."];

function headed(word: string, reason: string): readonly string[] {
  const [first = "", ...rest] = wrap(reason, TABLE_WIDTH - 12);
  return [`${word}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

function bullet(text: string): readonly string[] {
  const [first = "", ...rest] = wrap(text, TABLE_WIDTH - 4);
  return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
}

function resultLines(result: OrderResult): readonly string[] {
  const { order } = result;
  const message = result.message === "" ? [] : [["message", result.message] as const];
  if (order === null) return pairs([["id", result.order_uuid], ...message]);
  const prices: readonly (readonly [string, number | null | undefined])[] = [
    ["price", order.price],
    ["limit", order.limitPrice],
    ["trigger", order.stopPrice],
    ["stop", order.stopLoss],
    ["target", order.takeProfit],
  ];
  const legs = order.bracketOrders ?? [];
  return pairs([
    ["id", result.order_uuid],
    ["order", `${order.executionType} ${order.orderType} ${order.tradePairDisplay}`],
    ["state", order.filled ? "filled" : "resting"],
    ...sizes(order),
    ...prices.flatMap(([name, value]) => (isKnown(value) ? [[name, exact(value)] as const] : [])),
    ...(isKnown(order.fee) ? [["fee", money(order.fee)] as const] : []),
    ...(isKnown(order.realizedPnl) ? [["realized", signedMoney(order.realizedPnl)] as const] : []),
    ...(order.bindingCap === null ? [] : [["made smaller by", order.bindingCap] as const]),
    ...legs.map((leg) => ["leg", legWord(leg)] as const),
    ["at", time(order.processedMs)],
    ...message,
  ]);
}

function sizes(order: NonNullable<OrderResult["order"]>): readonly (readonly [string, string])[] {
  return [
    ...(isKnown(order.quantity) ? [["quantity", exact(order.quantity)] as const] : []),
    ...(isKnown(order.value) ? [["value", money(order.value)] as const] : []),
    ...(isKnown(order.leverage) ? [["leverage", multiple(order.leverage)] as const] : []),
  ];
}

function legWord(leg: {
  readonly orderUuid: string;
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
}): string {
  return `${leg.orderUuid} stop ${exact(leg.stopLoss)}, target ${exact(leg.takeProfit)}`;
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}
