/** The content of a read as one text, made once from the answer and once from the small model. */
import { type EndpointName, isAdditive, matchEndpoint, splitTarget } from "@propgate/contract";
import type { LegRequest, PendingOrder } from "@propgate/core";
import type { HttpExchange } from "../checker.ts";
import { type ClosedTrades, type ModelAccount, signOf } from "./account-model.ts";
import { answeredDataOf, fieldsOf } from "./answers.ts";
import { microDollarsOf } from "./figures.ts";

/** The number of newest trades that are compared one by one. The others are only counted. */
const TRADES_COMPARED = 10;

/** The content of one read, from the answer and from the model. */
export interface ComparedRead {
  /** The text of the answer. */
  readonly answered: string;
  /** The text that the answer must have for this state of the account. */
  readonly expected: (account: ModelAccount) => string;
}

/** The content of a read; null when the exchange is not a read, has no data or is not modelled. */
export function comparedReadOf(exchange: HttpExchange): ComparedRead | null {
  const { call } = exchange;
  const data = answeredDataOf(exchange);
  if (call.kind !== "read" || data === null) return null;
  const { path, query } = splitTarget(call.target);
  const match = matchEndpoint("GET", path);
  if (match.kind !== "endpoint" || isAdditive(match.name)) return null;
  const items = Array.isArray(data) ? data.map(fieldsOf) : [];
  return readingBy(match.name, { data: fieldsOf(data), items, query });
}

type Fields = Readonly<Record<string, unknown>>;

function readingBy(
  name: EndpointName,
  { data, items, query }: { data: Fields; items: readonly Fields[]; query: string },
): ComparedRead | null {
  switch (name) {
    case "getAccount":
      return { answered: accountText(data), expected: expectedAccount };
    case "getPositions":
      return { answered: items.map(positionText).join("\n"), expected: expectedPositions };
    case "getOrders":
      return { answered: items.map(orderText).join("\n"), expected: expectedOrders };
    case "getTrades":
      return { answered: tradesText(items), expected: expectedTrades };
    case "getPayouts":
      return query.includes("cursor=") ? null : payoutsReading(data);
    case "placeOrder":
      return null;
  }
}

function accountText(data: Fields): string {
  const account = fieldsOf(data.account);
  const evaluation = fieldsOf(data.evaluation);
  const performance = fieldsOf(data.performance);
  return textOf([
    microDollarsOf(account.currentBalance),
    microDollarsOf(evaluation.effectiveAccountSizeNumeric),
    account.openPositions,
    evaluation.isEliminated,
    performance.totalTrades,
    performance.totalWins,
    ...switchText(fieldsOf(data.cancelAllAfter)),
  ]);
}

function expectedAccount(account: ModelAccount): string {
  const { cash, size, held, status, closed, wins, armed } = account;
  const trades = (closed?.count ?? 0) + held.size;
  const isEnded = status === "eliminated";
  return textOf([cash, size, held.size, isEnded, trades, wins, ...switchText({ ...armed })]);
}

function switchText({ atMs, action }: Fields): readonly unknown[] {
  return [atMs, action];
}

function positionText(item: Fields): string {
  return textOf([
    item.positionUuid,
    item.tradePair,
    Math.round(Number(item.netQuantity) * 1e5),
    digits(item.averageEntryPrice),
    microDollarsOf(item.realizedPnl),
    microDollarsOf(item.cumulativeEntryValue),
    item.openMs,
    item.takeProfit,
  ]);
}

function expectedPositions({ held, orders }: ModelAccount): string {
  return [...held.values()]
    .map(({ uuid, pair, net, averagePrice, realized, bought, openedAtMs }) => {
      const targets = [...orders.values()]
        .filter((order) => order.kind === "bracket" && order.positionUuid === uuid)
        .flatMap((leg) =>
          leg.kind === "bracket" && leg.takeProfit !== null ? [leg.takeProfit] : [],
        )
        .sort((one, other) => Math.sign(net) * (one - other));
      const target = targets[0] ?? null;
      return textOf([uuid, pair, net, digits(averagePrice), realized, bought, openedAtMs, target]);
    })
    .join("\n");
}

function orderText(item: Fields): string {
  const size = [item.leverage, microDollarsOf(item.value), item.quantity, item.bracketPct];
  return textOf([
    item.orderUuid,
    item.tradePair,
    item.orderType,
    item.executionType,
    item.processedMs,
    item.limitPrice,
    item.stopPrice,
    item.stopLoss,
    item.takeProfit,
    item.trailingPercent,
    item.trailingValue,
    item.positionUuid,
    item.reduceOnly,
    legsText(item.bracketOrders),
    ...size.map((part) => (Number.isNaN(part) ? null : part)),
  ]);
}

function expectedOrders({ orders }: ModelAccount): string {
  return [...orders.values()].map(expectedOrder).join("\n");
}

const KINDS = { limit: "LIMIT", stopLimit: "STOP_LIMIT", bracket: "BRACKET" } as const;

function expectedOrder(order: PendingOrder): string {
  const { uuid, pair, direction, kind, placedAtMs, size } = order;
  const leg = order.kind === "bracket" ? [order] : order.legs;
  const trailing = leg.find((one) => one.trailing !== null)?.trailing ?? null;
  return textOf([
    uuid,
    pair,
    direction === "long" ? "LONG" : "SHORT",
    KINDS[kind],
    placedAtMs,
    order.kind === "bracket" ? null : order.limitPrice,
    order.kind === "stopLimit" ? order.stopPrice : null,
    nearest(
      leg.map(({ stopLoss }) => stopLoss),
      direction === "long" ? "highest" : "lowest",
    ),
    nearest(
      leg.map(({ takeProfit }) => takeProfit),
      direction === "long" ? "lowest" : "highest",
    ),
    trailing?.kind === "percent" ? trailing.ratio : null,
    trailing?.kind === "value" ? trailing.value : null,
    ...expectedOwnFields(order),
    size?.kind === "leverage" ? size.leverage : null,
    size?.kind === "value" ? size.value : null,
    size?.kind === "quantity" ? size.lots : null,
    size?.kind === "bracketPct" ? size.ratio : null,
  ]);
}

/** The level that the market reaches first, among those of several legs; null without a level. @rule D13.oneReading */
function nearest(levels: readonly (number | null)[], which: "highest" | "lowest"): number | null {
  const known = levels.filter((level) => level !== null);
  if (known.length === 0) return null;
  return which === "highest" ? Math.max(...known) : Math.min(...known);
}

/**
 * The expected fields that differ between legs and entries: the position of a leg, whether the order only reduces, and
 * the legs that an entry will attach. A field that the order does not have is null.
 */
function expectedOwnFields(order: PendingOrder): readonly unknown[] {
  if (order.kind === "bracket") return [order.positionUuid, true, null];
  return [null, order.reduceOnly, order.legs.map(expectedLeg).join() || null];
}

/** The legs of a pending entry, which have no ids yet; null without legs. @rule D10.legIds */
function legsText(legs: unknown): string | null {
  if (!Array.isArray(legs)) return null;
  const texts = legs
    .map(fieldsOf)
    .map((leg) =>
      [
        leg.orderUuid,
        leg.stopLoss,
        leg.takeProfit,
        leg.trailingPercent,
        leg.trailingValue,
        leg.quantity,
        leg.bracketPct,
      ].join("/"),
    );
  return texts.join() || null;
}

function expectedLeg({ stopLoss, takeProfit, trailing, size }: LegRequest): string {
  return [
    null,
    stopLoss,
    takeProfit,
    trailing?.kind === "percent" ? trailing.ratio : null,
    trailing?.kind === "value" ? trailing.value : null,
    size?.kind === "quantity" ? size.lots : null,
    size?.kind === "bracketPct" ? size.ratio : null,
  ].join("/");
}

/** A price with the twelve digits that answers have. */
function digits(price: unknown): string {
  return Number(price).toPrecision(12);
}

function tradesText(items: readonly Fields[]): string {
  const newest = items.slice(0, TRADES_COMPARED).map((item) => {
    const lots = Math.round(Number(item.quantity) * 1e5);
    return textOf([
      item.id,
      lots,
      microDollarsOf(item.realizedPnl),
      microDollarsOf(item.totalFees),
      item.status,
    ]);
  });
  return [String(items.length), ...newest].join("\n");
}

function expectedTrades({ closed }: ModelAccount): string {
  const newest: string[] = [];
  let next: ClosedTrades | null = closed;
  for (; next !== null && newest.length < TRADES_COMPARED; next = next.older) {
    const { id, direction, quantity, realizedPnl, fees, status } = next.trade;
    const lots = signOf(direction) * quantity;
    newest.push(textOf([id, lots, realizedPnl, fees, status.toUpperCase()]));
  }
  return [String(closed?.count ?? 0), ...newest].join("\n");
}

/** The newest payouts, as many as the answer has. An answer without a further page must have all of them. */
function payoutsReading(data: Fields): ComparedRead {
  const items = Array.isArray(data.items) ? data.items.map(fieldsOf) : [];
  const isLast = data.nextCursor === null;
  const answered = items.map((item) => textOf([item.id, microDollarsOf(item.amount)]));
  return {
    answered: [String(isLast), ...answered].join("\n"),
    expected: ({ payouts }) => {
      const newest = [...payouts.values()].sort((one, other) =>
        one.periodStartMs === other.periodStartMs
          ? Number(one.id < other.id) - Number(one.id > other.id)
          : other.periodStartMs - one.periodStartMs,
      );
      const shown = newest.slice(0, items.length).map(({ id, amount }) => textOf([id, amount]));
      return [String(shown.length === payouts.size), ...shown].join("\n");
    },
  };
}

function textOf(parts: readonly unknown[]): string {
  return parts.map((part) => String(shown(part))).join(" ");
}

/** A value as answers have it: fractions with twelve digits, integers such as micro dollars with all digits. */
function shown(part: unknown): unknown {
  const isFraction = typeof part === "number" && Number.isFinite(part) && !Number.isInteger(part);
  return isFraction ? Number(part.toPrecision(12)) : part;
}
