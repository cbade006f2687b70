import { wireJson } from "@propgate/base";
import type { OrderResult, SwitchResult } from "@propgate/contract";
import { type Event, type PairId, unixMs } from "@propgate/core";
import {
  type AnswerSource,
  type FactsBesideEvents,
  type OrderReceipt,
  type OrderRest,
  orderReceipt,
  type SwitchReceipt,
  switchReceipt,
  type TraderAnswer,
  type TraderReceipt,
  type UnclosedPosition,
} from "@propgate/ledger";
import { type ArmedSwitchView, armedSwitchView } from "./armed-switch.ts";
import { orderResultView } from "./order-result.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";

/**
 * The form of stored answers. An answer with other words, fields or figures gets the next number, because a receipt
 * repeats its answer byte for byte. The database rejects a form that it does not know, so a new form begins with a
 * migration.
 */
const ANSWER_FORM = 1;

/**
 * A pair's display form at the time of the answer, because a catalogue may change it: the position of the slash in the
 * pair's id, 0 for the id itself, or else the text.
 */
type StoredDisplay = number | string;

/**
 * The parts of an order's answer that the journal lines do not give, as stored. Empty lists at the end are left out.
 */
type StoredRest = readonly [
  form: typeof ANSWER_FORM,
  kind: OrderRest["kind"],
  processingMs: number,
  /** The display form of each pair that the answer shows, in their order. */
  displays: readonly StoredDisplay[],
  /**
   * The tick of the pair whose price the message shows; 0 when it shows none. Stored, because a catalogue may change
   * it.
   */
  tick: number,
  notFound?: readonly string[],
  stayed?: readonly UnclosedPosition[],
  withoutStop?: readonly PairId[],
];

/** The text that the receipt of a trader's command stores in addition to its journal lines. @rule S2.6 D9.receipts */
export function storedAnswerText({ rest, receipt }: TraderAnswer, displays: PairDisplays): string {
  if (rest.kind === "switch" || receipt.outcome === "switched") {
    return JSON.stringify(storedSwitch(rest));
  }
  const shown = pairsShown(receipt).map((pair) => storedDisplay(pair, pairDisplay(displays, pair)));
  return JSON.stringify(storedRest(rest, shown, tickShown(receipt, displays)));
}

/** `data` of the response to a trader's command, as JSON. */
export function answerJson(receipt: TraderReceipt, displays: PairDisplays): string {
  return wireJson(
    receipt.outcome === "switched" ? switchResult(receipt) : orderResultView(receipt, displays),
  );
}

/**
 * An answer as it was given, to an order or to a request for the dead man's switch, with the receipt that it came from.
 */
export type AnsweredResult =
  | { readonly of: "order"; readonly result: OrderResult; readonly value: OrderReceipt }
  | { readonly of: "switch"; readonly result: SwitchResult; readonly value: SwitchReceipt };

/**
 * The result of an order or of a switch as it was answered, rendered again from the text of its receipt and its events.
 * @rule D9.receipts
 */
export function answeredResult({ rest: text, events }: AnswerSource): AnsweredResult {
  const rest = JSON.parse(text) as StoredRest | SwitchRest;
  return isOfSwitch(rest) ? restoredSwitch(events, rest) : restoredOrder(events, rest);
}

/** The receipt of a command that was carried out before. @rule D9.receipts */
export function receiptOfStoredAnswer(source: AnswerSource): TraderReceipt {
  return answeredResult(source).value;
}

/**
 * The parts of a switch's answer that the journal lines do not give, as stored. `unchanged` is there only when the
 * request left the switch as it was.
 */
type SwitchRest = readonly [
  form: typeof ANSWER_FORM,
  kind: "switch",
  processingMs: number,
  unchanged?: ArmedSwitchView,
];

function isOfSwitch(rest: StoredRest | SwitchRest): rest is SwitchRest {
  return rest[1] === "switch";
}

function storedSwitch(rest: FactsBesideEvents): SwitchRest {
  const { processingMs } = rest;
  const unchanged = "unchanged" in rest ? rest.unchanged : null;
  return unchanged === null
    ? [ANSWER_FORM, "switch", processingMs]
    : [ANSWER_FORM, "switch", processingMs, armedSwitchView(unchanged)];
}

function restoredSwitch(
  events: readonly Event[],
  [, kind, processingMs, view]: SwitchRest,
): AnsweredResult & { of: "switch" } {
  const unchanged =
    view === undefined
      ? null
      : { ...view, atMs: unixMs(view.atMs), spanMs: view.seconds * MS_PER_SECOND };
  const value = switchReceipt({ kind, processingMs, unchanged }, events);
  return { of: "switch", value, result: switchResult(value) };
}

function switchResult({ armed, processingMs }: SwitchReceipt): SwitchResult {
  return {
    cancelAllAfter: armed === null ? null : armedSwitchView(armed),
    processing_time: processingMs / MS_PER_SECOND,
  };
}

const MS_PER_SECOND = 1_000;

function restoredOrder(
  events: readonly Event[],
  stored: StoredRest,
): AnsweredResult & { of: "order" } {
  const [, kind, processingMs, shown, tick, ...lists] = stored;
  const [notFound = [], stayed = [], withoutStop = []] = lists;
  const value = orderReceipt({ kind, processingMs, notFound, stayed, withoutStop }, events);
  const displays = pairsShown(value).map(
    (pair, index) => [pair, { display: displayOf(pair, shown[index] ?? 0), tick }] as const,
  );
  return { of: "order", value, result: orderResultView(value, new Map(displays)) };
}

function storedRest(rest: OrderRest, shown: readonly StoredDisplay[], tick: number): StoredRest {
  const { kind, processingMs } = rest;
  const notFound = "notFound" in rest ? rest.notFound : [];
  const stayed = "stayed" in rest ? rest.stayed : [];
  const withoutStop = "withoutStop" in rest ? rest.withoutStop : [];
  if (withoutStop.length > 0)
    return [ANSWER_FORM, kind, processingMs, shown, tick, [], [], withoutStop];
  if (stayed.length > 0) return [ANSWER_FORM, kind, processingMs, shown, tick, notFound, stayed];
  if (notFound.length > 0) return [ANSWER_FORM, kind, processingMs, shown, tick, notFound];
  return [ANSWER_FORM, kind, processingMs, shown, tick];
}

/** The pairs whose display forms are in the answer. */
function pairsShown({ order, note }: OrderReceipt): readonly PairId[] {
  if (order !== null) return [order.filled ? order.pair : order.order.pair];
  if (note === null) return [];
  return note.kind === "flattened" ? note.stayed.map(({ pair }) => pair) : note.withoutStop;
}

function tickShown({ order }: OrderReceipt, displays: PairDisplays): number {
  return order?.filled === true ? (displays.get(order.pair)?.tick ?? 0) : 0;
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
