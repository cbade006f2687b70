import type { OrderResult } from "@propgate/contract";
import { assert, type PairId } from "@propgate/core";
import { wireJson } from "../../base/wire-json.ts";
import type { AnswerSource } from "../../storage/rows/receipt-store-port.ts";
import {
  type AnswerRest,
  answerRest,
  type CarriedOut,
  orderReceipt,
} from "../../trading/network/order-receipt.ts";
import type { OrderReceipt, PlacedOrder, StayedPosition } from "../../trading/network/port.ts";
import { orderResultView } from "./order-result.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";

/**
 * The form of the answers that this release gives. A release that gives them other words, fields or figures
 * gets the next number, and still renders the former forms: a receipt repeats the answer byte for byte.
 */
const FORM = 1;

/**
 * A pair's display form at the time of the answer, since a catalogue may change it: the place of the slash in
 * the pair's id, 0 for the id itself, or the text when it is neither.
 */
type StoredDisplay = number | string;

/** The rest of an answer as stored; the last two only when there are any. */
type StoredRest = readonly [
  form: number,
  kind: AnswerRest["kind"],
  processingMs: number,
  /** One for each pair that the answer shows, in their order. */
  displays: readonly StoredDisplay[],
  notFound?: readonly string[],
  stayed?: readonly StayedPosition[],
];

/** Renders the answer to an order, and the rest that its receipt stores. @rule S2.6 D9.receipts */
export function answerOrder(order: CarriedOut, displays: PairDisplays): PlacedOrder {
  const rest = answerRest(order);
  const value = orderReceipt(rest, order.events);
  const shown = pairsShown(value).map((pair) => storedDisplay(pair, pairDisplay(displays, pair)));
  const sent = wireJson(orderResultView(value, displays));
  return { value, sent, rest: JSON.stringify(storedRest(rest, shown)) };
}

/**
 * The result of an order as it was answered, rendered again.
 * @throws when a newer release answered in a form that this one does not have.
 * @rule D9.receipts
 */
export function answeredResult(source: AnswerSource): OrderResult {
  return restored(source).result;
}

/** The answer to an order as it was given, with the rest that its receipt stores. @rule D9.receipts */
export function answeredBefore(source: AnswerSource): PlacedOrder {
  const { value, result } = restored(source);
  return { value, sent: wireJson(result), rest: source.rest };
}

function restored({ events, rest: stored }: AnswerSource): {
  readonly value: OrderReceipt;
  readonly result: OrderResult;
} {
  const [form, kind, processingMs, shown, notFound = [], stayed = []] = JSON.parse(
    stored,
  ) as StoredRest;
  assert(form === FORM, `an answer of a form that this release has, not ${form}`);
  const value = orderReceipt({ kind, processingMs, notFound, stayed }, events);
  const displays = pairsShown(value).map(
    (pair, index) => [pair, { display: displayOf(pair, shown[index] ?? 0) }] as const,
  );
  return { value, result: orderResultView(value, new Map(displays)) };
}

function storedRest(rest: AnswerRest, shown: readonly StoredDisplay[]): StoredRest {
  const { kind, processingMs } = rest;
  const notFound = "notFound" in rest ? rest.notFound : [];
  const stayed = "stayed" in rest ? rest.stayed : [];
  if (stayed.length > 0) return [FORM, kind, processingMs, shown, notFound, stayed];
  if (notFound.length > 0) return [FORM, kind, processingMs, shown, notFound];
  return [FORM, kind, processingMs, shown];
}

/** The pairs whose display forms are in the answer. */
function pairsShown({ order, note }: OrderReceipt): readonly PairId[] {
  if (order !== null) return [order.filled ? order.pair : order.order.pair];
  return note?.kind === "flattened" ? note.stayed.map(({ pair }) => pair) : [];
}

function storedDisplay(pair: PairId, display: string): StoredDisplay {
  if (display === pair) return 0;
  const slash = display.indexOf("/");
  return slash > 0 && displayOf(pair, slash) === display ? slash : display;
}

function displayOf(pair: PairId, stored: StoredDisplay): string {
  if (typeof stored === "string") return stored;
  return stored === 0 ? pair : `${pair.slice(0, stored)}/${pair.slice(stored)}`;
}
