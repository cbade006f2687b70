import type { RefusalCode } from "@propgate/contract";
import type {
  LegRequest,
  OrderCommand,
  OrderUuid,
  PairId,
  PlaceEntry,
  Price,
  Refusal,
} from "@propgate/core";
import { type Rejection, rejectionOfRefusal, type SentOrder } from "@propgate/wire";
import { exposureCapOf } from "./exposure-cap.ts";

/** The meaning of a text with which the network answers an order. */
export type NetworkTextMeaning =
  /** The network refused the order, which has no effect there. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** The order was filled, but its legs were not attached. */
  | { readonly kind: "filledWithoutLegs" }
  /** The network has an order with this id already and knows the order's fate. */
  | { readonly kind: "seenBefore" }
  /** The gateway did not take the request. It has no effect, and the same order may be sent later. */
  | { readonly kind: "notTaken" };

/** The order that the network has answered with a text, and the facts about it that give the text its meaning. */
export interface RefusedOrder {
  readonly command: OrderCommand;
  readonly legs: SentOrder["legs"];
  /** The account's asset class in the network's words; null when it was never read. */
  readonly assetClass: string | null;
}

/** The meaning of a text by one row: a kind, a refusal of the core or a rejection; null when the row does not fit. */
type Meaning = NetworkTextMeaning | Refusal | Rejection | null;

interface Row {
  readonly text: RegExp;
  readonly means: (found: RegExpExecArray, order: RefusedOrder) => Meaning;
}

/** The maximum number of pending orders and legs that the network allows an account. */
const RESTING_MAX = 100;
const MS_PER_SECOND = 1000;

/** The network's texts in the order of the checks: the first row that fits decides. */
const ROWS: readonly Row[] = [
  { text: /bracket order creation failed/i, means: () => ({ kind: "filledWithoutLegs" }) },
  {
    text: /already (been )?processed|duplicate order|order_uuid .*already/i,
    means: () => ({ kind: "seenBefore" }),
  },
  { text: /rate limit|too many requests/i, means: () => ({ kind: "notTaken" }) },
  {
    text: /no buying power remaining.*?\(capped by (.+?)\)/i,
    means: ([, label = ""], order) => noRoom(label, order),
  },
  {
    text: /insufficient buying power\.? need (\$[\d.,]+), have (-?\$-?[\d.,]+)/i,
    means: ([, needed = "", left = ""], order) =>
      pairMeaning(order, (pair) => ({
        error: "orderRefused",
        text: `There is no room left for ${pair}: the order needs ${amount(needed)} of buying power, and ${amount(left)} is left`,
        refusalCode: "noRoom",
      })),
  },
  {
    text: /0 order size after clamping/i,
    means: (_, order) =>
      pairMeaning(order, (pair) => ({
        error: "orderRefused",
        text: `The size is too small for ${pair}: within the caps it rounds down to zero`,
        refusalCode: "sizeTooSmall",
      })),
  },
  {
    text: /cross-margin/i,
    means: () => ({
      error: "orderRefused",
      text: "The operator's collateral on the network does not cover the order; ask the operator",
    }),
  },
  {
    text: /transition(ing)? to (a |its )?pro/i,
    means: (_, order) => pairMeaning(order, (pair) => ({ code: "proTransition", pair })),
  },
  {
    text: /cool(ing)?[ -]?down.*?(\d+(?:\.\d+)?) ?s/i,
    means: ([, , seconds = ""], order) =>
      pairMeaning(order, (pair) => ({
        code: "cooldown",
        pair,
        waitMs: Math.ceil(Number(seconds) * MS_PER_SECOND),
      })),
  },
  {
    text: /too many unfilled (limit )?orders/i,
    means: () => ({ code: "tooManyRestingOrders", most: RESTING_MAX }),
  },
  {
    text: /no live prices/i,
    means: (_, order) => pairMeaning(order, (pair) => ({ code: "noFreshQuote", pair })),
  },
  {
    text: /no longer supported|pair .*is blocked/i,
    means: (_, order) => pairMeaning(order, (pair) => ({ code: "blockedPair", pair })),
  },
  { text: /asset class/i, means: (_, order) => pairMeaning(order, outsideClass(order)) },
  {
    text: /(invalid|unknown|unrecognized) trade.?pair/i,
    means: (_, order) => pairMeaning(order, (pair) => ({ code: "unknownPair", pair })),
  },
  {
    text: /market .*is (currently )?closed/i,
    means: (_, order) => pairMeaning(order, (pair) => ({ code: "marketClosed", pair })),
  },
  { text: /is not active \(status: pending\)/i, means: () => ({ code: "accountNotReady" }) },
  { text: /eliminated/i, means: () => ({ code: "accountEliminated" }) },
  {
    text: /position.*?minimum[^\d$]*(\$?[\d,]*\.?\d+)/i,
    means: ([, minimum = ""], order) =>
      pairMeaning(order, (pair) => ({ code: "positionTooSmall", pair, least: minimum })),
  },
  { text: /trade pair mismatch/i, means: (_, { command }) => pairMismatch(command) },
  { text: /no unfilled limit orders? found/i, means: (_, { command }) => unknownOrder(command) },
  { text: /\b(no|an) open position/i, means: (_, order) => noPosition(order) },
  { text: /stop.?loss|take.?profit/i, means: (_, { command }) => wrongSide(command) },
  {
    text: /exactly one .*(leverage|value|quantity)|(leverage|value|quantity).* exactly one/i,
    means: () => ({ error: "missingSize" }),
  },
];

/**
 * Finds what a text of the network means. A text that no row knows is a refusal with the text itself and
 * without a code. `text` must be cleaned of keys and hosts. @rule D5.refusal D10.refusalCodes
 */
export function meaningOfNetworkText(text: string, order: RefusedOrder): NetworkTextMeaning {
  for (const row of ROWS) {
    const found = row.text.exec(text);
    const meaning = found === null ? null : row.means(found, order);
    if (meaning !== null) return wordOf(meaning, order);
  }
  return wordOf({ error: "orderRefused", text }, order);
}

function wordOf(meaning: NonNullable<Meaning>, { legs }: RefusedOrder): NetworkTextMeaning {
  if ("kind" in meaning) return meaning;
  const rejection = "code" in meaning ? rejectionOfRefusal(meaning, { legs }) : meaning;
  return { kind: "refused", rejection };
}

/** A meaning about the command's pair; null for a command without one. */
function pairMeaning(
  { command }: RefusedOrder,
  meaning: (pair: PairId) => Refusal | Rejection,
): Meaning {
  const pair = pairOf(command);
  return pair === null ? null : meaning(pair);
}

function pairOf(command: OrderCommand): PairId | null {
  return command.type === "editOrder" ? command.replacement.pair : command.pair;
}

function noRoom(label: string, order: RefusedOrder): Meaning {
  const cap = exposureCapOf(label);
  return pairMeaning(order, (pair) =>
    cap === null
      ? codedRejection("noRoom", `There is no room left for ${pair}: ${label}`)
      : { code: "noRoom", pair, cap },
  );
}

function outsideClass({ assetClass }: RefusedOrder): (pair: PairId) => Refusal | Rejection {
  return (pair) =>
    assetClass === null
      ? codedRejection(
          "pairOutsideClass",
          `'trade_pair' ${pair} is outside the account's asset class`,
        )
      : { code: "pairOutsideClass", pair, accountClass: assetClass };
}

function pairMismatch(command: OrderCommand): Meaning {
  if (command.type !== "editOrder") return null;
  const { orderUuid: id, pair } = command.replacement;
  return { code: "pairMismatch", orderUuid: id, sent: pair, pair: null };
}

function unknownOrder(command: OrderCommand): Meaning {
  const id = targetOrder(command);
  return id === null ? null : { code: "unknownOrder", orderUuid: id };
}

function targetOrder(command: OrderCommand): OrderUuid | null {
  if (command.type === "editOrder") return command.replacement.orderUuid;
  if (command.type !== "cancelOrders" || command.target === "all") return null;
  // Only the first id is named, because a list may have a thousand.
  return command.target[0] ?? null;
}

function noPosition(order: RefusedOrder): Meaning {
  const { command } = order;
  if (command.type !== "flatten")
    return pairMeaning(order, (pair) => ({ code: "noPosition", pair }));
  if (command.target === "all") return null;
  return { code: "unknownPosition", positionUuid: command.target.join(", ") };
}

type PricedEntry = Extract<PlaceEntry, { readonly limitPrice: Price }>;

/**
 * The refusal of the first leg that is on the wrong side of the limit price, because the network's text does not name
 * the leg. Null when there is no such leg.
 */
function wrongSide(command: OrderCommand): Meaning {
  const entry = command.type === "editOrder" ? command.replacement : command;
  if (!("limitPrice" in entry)) return null;
  for (const [leg, prices] of entry.legs.entries()) {
    const wrong = wrongField(entry, prices);
    if (wrong !== null) return { code: "wrongSide", leg, ...wrong };
  }
  return null;
}

function wrongField(
  { direction, limitPrice }: PricedEntry,
  { stopLoss, takeProfit }: LegRequest,
): Pick<
  Extract<Refusal, { code: "wrongSide" }>,
  "field" | "price" | "entryPrice" | "mustBe"
> | null {
  const isLong = direction === "long";
  const entryPrice = limitPrice;
  if (stopLoss !== null && (isLong ? stopLoss >= limitPrice : stopLoss <= limitPrice)) {
    return { field: "stopLoss", price: stopLoss, entryPrice, mustBe: isLong ? "below" : "above" };
  }
  if (takeProfit !== null && (isLong ? takeProfit <= limitPrice : takeProfit >= limitPrice)) {
    return {
      field: "takeProfit",
      price: takeProfit,
      entryPrice,
      mustBe: isLong ? "above" : "below",
    };
  }
  return null;
}

function codedRejection(refusalCode: RefusalCode, text: string): Rejection {
  return { error: "orderRefused", text, refusalCode };
}

/** The amount without the punctuation that follows it in the network's sentence. */
function amount(text: string): string {
  return text.replace(/[.,]+$/, "");
}
