/** Makes the commands of the `order` lines of a scenario. */
import { type OrderUuid, orderUuid, type PairId, pairId, positionUuid } from "../ids.ts";
import type { EditOrder, TraderCommand } from "../state/command.ts";
import type { Direction, LegRequest, TrailingDistance } from "../state/order.ts";
import type { LegSize, Size } from "../state/requested-size.ts";
import { leverage, price, ratio, roundUsd } from "../units.ts";
import { CommandWords } from "./scenario-line.ts";

/** The command for the words after `order`, such as `MARKET LONG BTCUSD quantity=1`. A new order gets the id `uuid`. */
export function orderCommand(words: CommandWords, uuid: OrderUuid): TraderCommand {
  switch (words.at(0)) {
    case "MARKET":
      return { type: "placeMarket", orderUuid: uuid, ...entryOf(words, 1) };
    case "LIMIT":
    case "STOP_LIMIT":
      return pendingEntryOf(words, 0, uuid);
    case "BRACKET": {
      const pair = pairId(words.at(1));
      return {
        type: "placeBracket",
        orderUuid: uuid,
        pair,
        legs: legsOf(words),
        ...repeatedDirection(words),
      };
    }
    case "FLAT":
      return { type: "closePair", orderUuid: uuid, pair: pairId(words.at(1)) };
    case "FLAT_ALL": {
      const named = words.from(1).map(positionUuid);
      const target = named.length === 0 ? "all" : named;
      return { type: "flatten", target, pair: pairNamed(words), ...repeatedDirection(words) };
    }
    case "CANCEL": {
      const target = words.at(1) === "ALL" ? "all" : words.from(1).map(orderUuid);
      return { type: "cancelOrders", target, pair: pairNamed(words), ...repeatedDirection(words) };
    }
    case "SWITCH": {
      const seconds = Number(words.at(1));
      const action = words.from(2)[0] === "flatten" ? "flatten" : "cancel";
      return { type: "cancelAllAfter", afterMs: seconds === 0 ? null : seconds * 1_000, action };
    }
    case "EDIT":
      return { type: "editOrder", replacement: replacementOf(words) };
    default:
      throw new Error(`no such order: ${words.at(0)}`);
  }
}

function pairNamed(words: CommandWords): PairId | null {
  return pairId(words.namedValue("pair") ?? "") || null;
}

/** The direction of `side=SHORT`, which a command may repeat for an order or position that already has it. */
function repeatedDirection(words: CommandWords): { readonly repeatedDirection?: Direction } {
  const side = words.namedValue("side");
  return side === null ? {} : { repeatedDirection: side === "SHORT" ? "short" : "long" };
}

/** The replacement of `EDIT o1 LIMIT LONG BTCUSD …` or `EDIT o1-bracket-0 LEG BTCUSD sl=…`. */
function replacementOf(words: CommandWords): EditOrder["replacement"] {
  const uuid = orderUuid(words.at(1));
  if (words.at(2) !== "LEG") return pendingEntryOf(words, 2, uuid);
  const [leg] = legsOf(words);
  if (leg === undefined) throw new Error("an edited leg needs a stop, a target or a trail");
  const pair = pairId(words.at(3));
  return { type: "editLeg", orderUuid: uuid, pair, leg, ...repeatedDirection(words) };
}

function pendingEntryOf(words: CommandWords, place: number, uuid: OrderUuid) {
  const entry = { orderUuid: uuid, ...entryOf(words, place + 1) };
  const limitPrice = price(words.number("limit") ?? Number.NaN);
  if (words.at(place) === "LIMIT") return { type: "placeLimit", ...entry, limitPrice } as const;
  const [condition, stop] = (words.namedValue("stop") ?? "").split(":");
  const stopCondition = condition === "GTE" ? "gte" : "lte";
  const stopPrice = price(Number(stop));
  return { type: "placeStopLimit", ...entry, limitPrice, stopPrice, stopCondition } as const;
}

function entryOf(words: CommandWords, place: number) {
  const direction: Direction = words.at(place) === "LONG" ? "long" : "short";
  const size = sizeOf(words);
  if (size === null) throw new Error("an entry needs a size");
  const reduceOnly = words.namedValue("reduce") === "only";
  return { direction, pair: pairId(words.at(place + 1)), size, legs: legsOf(words), reduceOnly };
}

function sizeOf(words: CommandWords): Size | null {
  const multiple = words.number("leverage");
  if (multiple !== null) return { kind: "leverage", leverage: leverage(multiple) };
  const value = words.number("value");
  if (value !== null) return { kind: "value", value: roundUsd(value) };
  const lots = words.number("quantity");
  return lots === null ? null : { kind: "quantity", lots };
}

/** The legs of a command: `sl=… tp=… trail=2%` makes one leg, and each `leg=sl:90,tp:110,pct:0.5` one of several. */
function legsOf(words: CommandWords): readonly LegRequest[] {
  const several = words.every("leg").map((leg) => {
    return legOf(new CommandWords(leg.split(",").map((part) => part.replace(":", "="))));
  });
  if (several.length > 0) return several;
  const names = ["sl", "tp", "trail"];
  return names.some((name) => words.namedValue(name) !== null)
    ? [{ ...legOf(words), size: null }]
    : [];
}

function legOf(words: CommandWords): LegRequest {
  const stopLoss = words.number("sl");
  const takeProfit = words.number("tp");
  return {
    stopLoss: stopLoss === null ? null : price(stopLoss),
    takeProfit: takeProfit === null ? null : price(takeProfit),
    trailing: trailingOf(words.namedValue("trail")),
    size: legSizeOf(words),
  };
}

function legSizeOf(words: CommandWords): LegSize | null {
  const share = words.number("pct");
  return share === null ? sizeOf(words) : { kind: "bracketPct", ratio: ratio(share) };
}

function trailingOf(word: string | null): TrailingDistance | null {
  if (word === null) return null;
  return word.endsWith("%")
    ? { kind: "percent", ratio: ratio(Number(word.slice(0, -1)) / 100) }
    : { kind: "value", value: Number(word) };
}
