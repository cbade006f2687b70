/** The answer to an accepted order agrees with its lines in the journal and with the account before them. */

import type { Event, Instruments, OrderFilled } from "@propgate/core";
import { bindingCapText } from "../../../packages/wire/src/wire.ts";
import type { HttpExchange } from "../checker.ts";
import type { ModelAccount } from "./account-model.ts";
import { answeredDataOf, fieldsOf } from "./answers.ts";
import { isOwnersCancellation } from "./apply-line.ts";
import { microDollarsOf } from "./figures.ts";
import { legProblems, type RequestedSize, sizeProblems } from "./fill-rules.ts";
import type { JournalLine } from "./journal-reader.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A line of the journal, with the state of the account before that line. */
export interface EffectLine {
  readonly line: JournalLine;
  readonly before: ModelAccount;
}

/**
 * The contradictions between an order's answer and the journal. `effect` has the lines under the order's nonce, oldest
 * first; it may be empty.
 */
export function orderAnswerProblems(
  exchange: HttpExchange,
  effect: readonly EffectLine[],
  now: { readonly instruments: Instruments; readonly account: ModelAccount },
): readonly string[] {
  const { call } = exchange;
  if (call.kind !== "trade") return [];
  const data = fieldsOf(answeredDataOf(exchange));
  const order = fieldsOf(data.order);
  const compared: Compared = { trade: call.trade, data, order, effect, ...now };
  switch (call.trade.execution_type) {
    case "MARKET":
      return marketProblems(compared);
    case "LIMIT":
    case "STOP_LIMIT":
      return placedProblems(compared);
    case "LIMIT_EDIT":
      return editedProblems(compared);
    case "BRACKET":
      return bracketProblems(compared);
    case "LIMIT_CANCEL":
      return cancelProblems(compared);
    case "FLAT_ALL":
      return flattenProblems(compared);
    default:
      return [`accepted as ${String(call.trade.execution_type)}`];
  }
}

interface Compared {
  readonly trade: Fields;
  readonly data: Fields;
  readonly order: Fields;
  readonly effect: readonly EffectLine[];
  readonly instruments: Instruments;
  /** The present account, for orders without a line in the journal. */
  readonly account: ModelAccount;
}

function marketProblems({ trade, order, effect, instruments }: Compared): readonly string[] {
  const index = effect.findIndex(({ line: { event } }) => isOwnFill(event));
  const placed = effect[index];
  if (placed === undefined || placed.line.event.type !== "orderFilled") return ["nothing filled"];
  const { before } = placed;
  const fill = placed.line.event;
  const problems = differences(order, {
    orderUuid: fill.orderUuid,
    tradePair: fill.pair,
    filled: true,
    quantity: fill.quantity / 100_000,
    price: fill.price,
    bindingCap: bindingCapText(fill.bindingCap),
    processedMs: fill.atMs,
  });
  problems.push(
    ...differences(moneyOf(order), {
      value: fill.value,
      fee: fill.fee,
      realizedPnl: fill.realizedPnl,
    }),
  );
  problems.push(...sizeDifferenceProblems(order, fill));
  if (fill.pair !== pairOf(trade)) problems.push(`filled on ${fill.pair}`);
  const next = effect[index + 1]?.line ?? null;
  if (trade.order_type === "FLAT") return [...problems, ...flatProblems(fill, before)];
  if (wordOf(fill.direction) !== trade.order_type) problems.push(`filled ${fill.direction}`);
  problems.push(...legProblems(requestedLegs(trade), fill, next));
  problems.push(...reduceOnlyProblems(trade, order, fill.reduceOnly === true));
  const isEntry = fill.effect === "open" || fill.effect === "add";
  if (trade.reduce_only === true && isEntry)
    problems.push("a reduce-only order that opens or adds");
  const instrument = instruments.get(fill.pair);
  const size = sizeOf(trade);
  if (instrument === undefined || size === null) return [...problems, "accepted without a size"];
  return [...problems, ...sizeProblems(before, fill, { instrument, size })];
}

/**
 * The problems of `shortfall` and `excess` in the answer, which must be those of the fill in the journal.
 * @rule D12.shortfall
 */
function sizeDifferenceProblems(order: Fields, fill: OrderFilled): readonly string[] {
  return (["shortfall", "excess"] as const).flatMap((name) => {
    const { code = null, lots = null } = fill[name] ?? {};
    const shown = fieldsOf(order[name]);
    const isSame = code === (shown.code ?? null) && lots === (shown.quantity ?? null);
    return isSame ? [] : [`${name} is ${String(shown.code)} ${String(shown.quantity)}`];
  });
}

/** The problem of a fill that does not close its whole position. */
function flatProblems(fill: OrderFilled, before: ModelAccount): readonly string[] {
  const held = before.held.get(fill.positionUuid);
  const isWhole = held !== undefined && Math.abs(held.net) === fill.quantity;
  return isWhole && fill.effect === "close" ? [] : ["a FLAT that does not close its position"];
}

function placedProblems({ trade, order, effect }: Compared): readonly string[] {
  const event = effect.map(({ line }) => line.event).find(({ type }) => type === "orderPlaced");
  if (event?.type !== "orderPlaced") return ["no order was placed"];
  const { order: placed } = event;
  const problems = differences(order, { orderUuid: placed.uuid, filled: false, price: null });
  problems.push(
    ...differences(trade, { order_type: wordOf(placed.direction), limit_price: placed.limitPrice }),
  );
  if (placed.pair !== pairOf(trade)) problems.push(`the order is on ${placed.pair}`);
  const kind = placed.kind === "limit" ? "LIMIT" : "STOP_LIMIT";
  if (kind !== trade.execution_type) problems.push(`the order is a ${kind}`);
  if (placed.legs.length !== requestedLegs(trade)) problems.push(`with ${placed.legs.length} legs`);
  return [...problems, ...reduceOnlyProblems(trade, order, placed.reduceOnly)];
}

function editedProblems({ trade, order, effect }: Compared): readonly string[] {
  const event = effect.map(({ line }) => line.event).find(({ type }) => type === "orderEdited");
  if (event?.type !== "orderEdited") return ["nothing was edited"];
  const { order: edited } = event;
  const problems = differences(order, { orderUuid: edited.uuid, filled: false });
  if (edited.uuid !== trade.order_uuid) problems.push(`${edited.uuid} was edited`);
  if (edited.pair !== pairOf(trade)) problems.push(`the order is on ${edited.pair}`);
  if (edited.kind === "bracket") return problems;
  problems.push(...differences(trade, { limit_price: edited.limitPrice }));
  return [...problems, ...reduceOnlyProblems(trade, order, edited.reduceOnly)];
}

function reduceOnlyProblems(trade: Fields, order: Fields, isPlaced: boolean): readonly string[] {
  const isRequested = trade.reduce_only === true;
  const problems = differences(order, { reduceOnly: isRequested });
  return isPlaced === isRequested
    ? problems
    : [...problems, `the order has reduce only ${isPlaced}`];
}

function bracketProblems({ trade, order, effect }: Compared): readonly string[] {
  const event = effect.map(({ line }) => line.event).find(({ type }) => type === "legsAttached");
  if (event?.type !== "legsAttached") return ["no leg was attached"];
  const problems = differences(order, { orderUuid: event.legs[0]?.uuid, filled: false });
  if (event.legs.length !== requestedLegs(trade))
    problems.push(`${event.legs.length} legs were attached`);
  return problems;
}

/** The problems of a cancellation: it cancels every named or pending order, and no other. */
function cancelProblems({ trade, data, effect, account }: Compared): readonly string[] {
  const cancelled = effect.filter(({ line }) => isOwnersCancellation(line.event));
  const before = cancelled[0]?.before ?? account;
  const done = cancelled.map(({ line: { event } }) =>
    "orderUuid" in event ? event.orderUuid : "",
  );
  const target = String(trade.order_uuid);
  // A cancellation without an effect has no line. Its position in the journal is unknown, so it cannot be judged.
  if (target === "ALL" && cancelled.length === 0) return [];
  const parents = target.split(",").map((id) => id.trim());
  const pair = trade.trade_pair === undefined ? null : pairOf(trade);
  const due = [...before.orders.values()]
    .filter((order) =>
      target === "ALL" ? pair === null || order.pair === pair : parents.includes(order.uuid),
    )
    .map(({ uuid }) => uuid);
  const isSame =
    due.length === done.length && due.every((uuid) => done.some((one) => one === uuid));
  const isKnown = (id: string): boolean => due.some((uuid) => uuid === id);
  const gone = target === "ALL" ? [] : parents.filter((id) => id !== "" && !isKnown(id));
  return [
    ...(isSame ? [] : [`${done.join()} were cancelled, expected ${due.join()}`]),
    ...notFoundProblems(data, gone),
  ];
}

/** The problem of `notFound`: it must have exactly the listed ids that do not exist. @rule D10.lists */
function notFoundProblems({ notFound }: Fields, due: readonly string[]): readonly string[] {
  const answered = Array.isArray(notFound) ? notFound.map(String) : [];
  const isSame = [...new Set(answered)].sort().join() === [...new Set(due)].sort().join();
  return isSame ? [] : [`${answered.join()} were not found, expected ${due.join()}`];
}

/**
 * The problems of a FLAT_ALL. Each position that the answer calls closed must have been open and be completely closed
 * now. With listed ids, only these positions may be closed, and the ids of no open position must be in `notFound`.
 * Without ids, the closed positions and those that the answer calls stayed must be all that were open.
 * @rule D10.flattenAll
 */
function flattenProblems({ trade, data, effect }: Compared): readonly string[] {
  const named = idsOf(data.order_uuid);
  const fills = effect.flatMap(({ line: { event }, before }) =>
    event.type === "orderFilled" && event.kind === "flatten" ? [{ event, before }] : [],
  );
  const problems = fills.flatMap(({ event, before }) => flatProblems(event, before));
  const closed = fills.map(({ event }) => event.positionUuid);
  const isSame = named.length === closed.length && closed.every((uuid) => named.includes(uuid));
  if (!isSame) problems.push(`${closed.join()} were closed`);
  const answered = pairsOf(data.closed);
  const pairs = fills.map(({ event }) => event.pair);
  if (answered.join() !== pairs.join()) problems.push(`closed has ${answered.join()}`);
  const stayed = pairsOf(data.stayed).length;
  const status = stayed === 0 ? "flattened" : "partial";
  problems.push(...differences(data, { success: stayed === 0, status }));
  return [...problems, ...wholeProblems({ trade, data, effect }, { closed, stayed })];
}

function wholeProblems(
  { trade, data, effect }: Pick<Compared, "trade" | "data" | "effect">,
  { closed, stayed }: { readonly closed: readonly string[]; readonly stayed: number },
): readonly string[] {
  const { order_uuid: target } = trade;
  if (typeof target === "string" && target !== "ALL") {
    const ids = idsOf(target);
    const isNamed = closed.every((uuid) => ids.includes(uuid));
    const open = [...(effect[0]?.before.held.keys() ?? [])].filter((uuid) => ids.includes(uuid));
    const gone = effect.length === 0 ? null : ids.filter((id) => !open.includes(id));
    return [
      ...(isNamed ? [] : [`not only ${target} was closed`]),
      ...(gone === null ? [] : notFoundProblems(data, gone)),
    ];
  }
  // The same command may also have ended the phase or the account, which closes all positions.
  const pair = trade.trade_pair === undefined ? null : pairOf(trade);
  const isNamed = (on: string): boolean => pair === null || on === pair;
  const held = [...(effect[0]?.before.held.values() ?? [])].filter((one) => isNamed(one.pair));
  const open = effect.length === 0 ? stayed : held.length;
  const ended = effect.filter(
    ({ line: { event } }) => event.type === "positionClosed" && isNamed(event.trade.pair),
  ).length;
  return ended + stayed === open ? [] : [`${ended} of ${open} positions were closed`];
}

function idsOf(text: unknown): readonly string[] {
  return String(text)
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

function pairsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map((one) => String(fieldsOf(one).tradePair)) : [];
}

function isOwnFill(event: Event): boolean {
  return event.type === "orderFilled" && (event.kind === "market" || event.kind === "closePair");
}

function differences(actual: Fields, expected: Fields): string[] {
  return Object.entries(expected)
    .filter(([name, value]) => actual[name] !== value)
    .map(([name, value]) => `${name} is ${String(actual[name])}, expected ${String(value)}`);
}

function moneyOf({ value, fee, realizedPnl }: Fields): Fields {
  return {
    value: microDollarsOf(value),
    fee: microDollarsOf(fee),
    realizedPnl: microDollarsOf(realizedPnl),
  };
}

/** The pair of a request as the journal names it. */
function pairOf({ trade_pair: pair }: Fields): string {
  return String(pair).replace("/", "").toUpperCase();
}

function wordOf(direction: "long" | "short"): string {
  return direction === "long" ? "LONG" : "SHORT";
}

function sizeOf({ quantity, value, leverage }: Fields): RequestedSize | null {
  if (typeof quantity === "number") return { kind: "quantity", amount: quantity };
  if (typeof value === "number") return { kind: "value", amount: value };
  return typeof leverage === "number" ? { kind: "leverage", amount: leverage } : null;
}

function requestedLegs(trade: Fields): number {
  const { bracket_orders: listed } = trade;
  if (Array.isArray(listed) && listed.length > 0) return listed.length;
  const names = ["stop_loss", "take_profit", "trailing_stop"];
  return names.some((name) => trade[name] !== undefined && trade[name] !== null) ? 1 : 0;
}
