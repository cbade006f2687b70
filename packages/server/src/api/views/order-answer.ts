import type { OrderResult, SwitchResult } from "@propgate/contract";
import type { Event, PairId } from "@propgate/core";
import { wireJson } from "../../base/wire-json.ts";
import type { AnswerSource } from "../../storage/rows/receipt-store-port.ts";
import {
  type AnswerRest,
  answerRest,
  type CarriedOut,
  type CarriedOutOrder,
  orderReceipt,
} from "../../trading/network/order-receipt.ts";
import type { OrderReceipt, PlacedOrder, StayedPosition } from "../../trading/network/port.ts";
import { type ArmedSwitchView, armedSwitchView } from "./armed-switch.ts";
import { orderResultView } from "./order-result.ts";
import { type PairDisplays, pairDisplay } from "./pair-display.ts";

/**
 * The form of the answers that this release gives. A release that gives them other words, fields or figures
 * gets the next number, and still renders the former forms: a receipt repeats the answer byte for byte. The database
 * refuses a form that it does not know, so a new one begins with a migration, and a release without that migration
 * does not start on the database.
 */
const FORM = 1;

/**
 * A pair's display form at the time of the answer, since a catalogue may change it: the place of the slash in
 * the pair's id, 0 for the id itself, or the text when it is neither.
 */
type StoredDisplay = number | string;

/** The rest of an answer as stored; the last three only when there are any. */
type StoredRest = readonly [
  form: typeof FORM,
  kind: AnswerRest["kind"],
  processingMs: number,
  /** One for each pair that the answer shows, in their order. */
  displays: readonly StoredDisplay[],
  /** The tick of the pair whose price the message shows; 0 without one. A catalogue may change it too. */
  tick: number,
  notFound?: readonly string[],
  stayed?: readonly StayedPosition[],
  withoutStop?: readonly PairId[],
];

/** Renders the answer to a trader's command, and the rest that its receipt stores. @rule S2.6 D9.receipts */
export function answerOrder(carriedOut: CarriedOut, displays: PairDisplays): PlacedOrder {
  const { command } = carriedOut;
  return command.type === "cancelAllAfter"
    ? answerSwitch(carriedOut)
    : answerPlaced({ ...carriedOut, command }, displays);
}

function answerPlaced(order: CarriedOutOrder, displays: PairDisplays): PlacedOrder {
  const rest = answerRest(order);
  const value = orderReceipt(rest, order.events);
  const shown = pairsShown(value).map((pair) => storedDisplay(pair, pairDisplay(displays, pair)));
  const sent = wireJson(orderResultView(value, displays));
  const tick = tickShown(value, displays);
  return { value, sent, rest: JSON.stringify(storedRest(rest, shown, tick)) };
}

/** The answer as it was given; of an order, or of the dead man's switch. */
export type Answered =
  | { readonly of: "order"; readonly result: OrderResult; readonly value: OrderReceipt }
  | { readonly of: "switch"; readonly result: SwitchResult };

/**
 * The result of an order or of a switch as it was answered, rendered again.
 * @rule D9.receipts
 */
export function answeredResult(source: AnswerSource): Answered {
  const rest = JSON.parse(source.rest) as StoredRest | SwitchRest;
  return isOfSwitch(rest)
    ? { of: "switch", result: switchResult(source.events, rest) }
    : restored(source.events, rest);
}

/** The answer to a command as it was given, with the rest that its receipt stores. @rule D9.receipts */
export function answeredBefore(source: AnswerSource): PlacedOrder {
  const answered = answeredResult(source);
  const value = answered.of === "order" ? answered.value : null;
  return { value, sent: wireJson(answered.result), rest: source.rest };
}

/** The rest of a switch's answer as stored; the last only when the request left the switch as it was. */
type SwitchRest = readonly [
  form: typeof FORM,
  kind: "switch",
  processingMs: number,
  unchanged?: ArmedSwitchView,
];

function isOfSwitch(rest: StoredRest | SwitchRest): rest is SwitchRest {
  return rest[1] === "switch";
}

function answerSwitch({ events, account, processingMs }: CarriedOut): PlacedOrder {
  const { armedSwitch: unchanged } = account.state;
  const isUnchanged = unchanged !== undefined && armedBy(events) === null;
  const rest: SwitchRest = isUnchanged
    ? [FORM, "switch", processingMs, armedSwitchView(unchanged)]
    : [FORM, "switch", processingMs];
  const sent = wireJson(switchResult(events, rest));
  return { value: null, sent, rest: JSON.stringify(rest) };
}

/** The switch that the command armed, else the one that it left as it was. @rule D12.smallRenewal */
function switchResult(
  events: readonly Event[],
  [, , processingMs, unchanged]: SwitchRest,
): SwitchResult {
  return {
    cancelAllAfter: armedBy(events) ?? unchanged ?? null,
    processing_time: processingMs / MS_PER_SECOND,
  };
}

/** Due work before the command may have fired an earlier switch: only the command arms one. */
function armedBy(events: readonly Event[]): ArmedSwitchView | null {
  const armed = events.find((event) => event.type === "switchArmed");
  if (armed === undefined) return null;
  const { deadlineMs, atMs, action } = armed;
  return armedSwitchView({ atMs: deadlineMs, action, spanMs: deadlineMs - atMs });
}

const MS_PER_SECOND = 1_000;

function restored(events: readonly Event[], stored: StoredRest): Answered & { of: "order" } {
  const [, kind, processingMs, shown, tick, ...lists] = stored;
  const [notFound = [], stayed = [], withoutStop = []] = lists;
  const value = orderReceipt({ kind, processingMs, notFound, stayed, withoutStop }, events);
  const displays = pairsShown(value).map(
    (pair, index) => [pair, { display: displayOf(pair, shown[index] ?? 0), tick }] as const,
  );
  return { of: "order", value, result: orderResultView(value, new Map(displays)) };
}

function storedRest(rest: AnswerRest, shown: readonly StoredDisplay[], tick: number): StoredRest {
  const { kind, processingMs } = rest;
  const notFound = "notFound" in rest ? rest.notFound : [];
  const stayed = "stayed" in rest ? rest.stayed : [];
  const withoutStop = "withoutStop" in rest ? rest.withoutStop : [];
  if (withoutStop.length > 0) return [FORM, kind, processingMs, shown, tick, [], [], withoutStop];
  if (stayed.length > 0) return [FORM, kind, processingMs, shown, tick, notFound, stayed];
  if (notFound.length > 0) return [FORM, kind, processingMs, shown, tick, notFound];
  return [FORM, kind, processingMs, shown, tick];
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
