import { ERRORS, errorText, type OrderResult, type OrderStatus } from "@propgate/contract";
import { placesEntry, type UnixMs } from "@propgate/core";
import type { NewUpstreamOrder, OrderEnd, RenderedReceipt } from "@propgate/ledger";
import { type Rejection, rejectionOfRefusal } from "@propgate/wire";
import type { Acceptance } from "../answer/gateway-answer.ts";
import { type NetworkOrder, networkOrder } from "../answer/network-order.ts";
import { type OrderingCommand, orderRecordView } from "../answer/order-record.ts";
import {
  type AnswerFacts,
  cancelledResult,
  flattenedResult,
  orderedResult,
  renderLinkedResult,
} from "../answer/order-result.ts";
import { recordFields } from "../answer/record-fields.ts";
import { hasOwnId, type StoredOrder } from "../stored-order.ts";
import {
  type AccountAroundCommand,
  type CancelFate,
  cancelFate,
  type EditFate,
  editFate,
  type FlattenFate,
  flattenFate,
} from "./act-fate.ts";
import { isSameOrder, matchesCommand } from "./agreement.ts";
import { findOrder, listsEveryOrder, type ObservedAccount } from "./found-order.ts";

/** An order whose end is not known yet: its row, and the parsed command. */
export interface OrderInFlight extends NewUpstreamOrder {
  readonly stored: StoredOrder;
}

/**
 * How an order ended, for its sender and its receipt. `failed`: the network refused it. `never`: it did not reach the
 * network.
 */
export type OrderEnding =
  | { readonly ok: true; readonly result: OrderResult; readonly rendered: RenderedReceipt }
  | {
      readonly ok: false;
      readonly state: "failed" | "never";
      readonly rejection: Rejection;
    };

/** The end of an order that did not reach the network. */
export const NOT_REACHED_ENDING: OrderEnding = {
  ok: false,
  state: "never",
  rejection: { error: "networkDown" },
};

/** The end of an order that the network refused. */
export function refusedEnding(rejection: Rejection): OrderEnding {
  return { ok: false, state: "failed", rejection };
}

/** Reads the account as it is after the network's answer; null when it cannot be read. */
export type ReadAccountAfter = () => Promise<ObservedAccount | null>;

const NOTHING_SENT: Acceptance = {
  orderJson: null,
  record: null,
  legsProblem: null,
  notice: "",
  processingTime: null,
};

/** The acceptance of an order, its processing time as measured here, and how to read the account after it. */
export interface AcceptedContext {
  readonly accepted: Acceptance;
  readonly seconds: number;
  readonly readAccountAfter: ReadAccountAfter;
  /**
   * True when the network has confirmed the order's id several times, but no reading of the account has shown the
   * order's end. Then the network's answer alone decides.
   */
  readonly isFinal?: boolean;
}

/**
 * The end of an order that the network accepted, from a reading of the account after the answer. Null while its fate is
 * unknown: the account does not show what the answer reports, or the account cannot be read and the answer is not
 * sufficient. @rule D13.linkedSight @rule D13.answerInDoubt decides
 */
export async function acceptedEnding(
  order: OrderInFlight,
  about: AcceptedContext,
): Promise<OrderEnding | null> {
  const { command } = order.stored;
  if (command.type !== "cancelOrders" && command.type !== "flatten") {
    return placedOrderEnding(order, command, about);
  }
  const sight = await about.readAccountAfter();
  if (sight === null) return null;
  const facts = factsOf(about.accepted, about.seconds);
  if (command.type === "flatten") {
    return flattenEnding(flattenFate(command, aroundAct(order, sight), true), facts);
  }
  const { record } = about.accepted;
  const count = record === null ? null : recordFields(record).number("num_cancelled");
  const fate = cancelFate(command, aroundAct(order, sight), count);
  return cancelEnding(fate, facts);
}

function aroundAct(
  { stored, createdAtMs: sentAtMs }: OrderInFlight,
  sight: ObservedAccount,
): AccountAroundCommand {
  return { before: stored.before, account: sight, sentAtMs };
}

/**
 * The end of a LIMIT_CANCEL, LIMIT_EDIT or FLAT_ALL of unknown fate, from a reading of the account after the request.
 * Null while the account does not show its effect but may show it later. No deadline ends this. @rule D13.lastWord
 */
export function commandEnding(
  order: OrderInFlight,
  sight: ObservedAccount,
  seconds: number,
): OrderEnding | null {
  const { command } = order.stored;
  const facts = factsOf(NOTHING_SENT, seconds);
  const around = aroundAct(order, sight);
  if (command.type === "cancelOrders")
    return cancelEnding(cancelFate(command, around, null), facts);
  if (command.type === "flatten") return flattenEnding(flattenFate(command, around, false), facts);
  if (command.type !== "editOrder") {
    throw new Error("broken invariant: an order with an id of its own is asked for by its id");
  }
  const fate = editFate(command, sight);
  return fate.kind === "edited"
    ? orderEnding(order, command, { found: fate.order, accepted: NOTHING_SENT, facts })
    : notDoneEnding(fate);
}

async function placedOrderEnding(
  order: OrderInFlight,
  command: OrderingCommand,
  about: AcceptedContext,
): Promise<OrderEnding | null> {
  const { accepted } = about;
  const answered = credibleOrder(accepted, command, networkId(order, command));
  const sight = await about.readAccountAfter();
  const decided =
    sight === null
      ? decidedUnread(command, answered, about)
      : decidedBySight(order, command, { answered, sight, about });
  if (decided === "unknown") return null;
  if (decided !== null && "error" in decided) return refusedEnding(decided);
  const facts = factsOf(accepted, about.seconds);
  return orderEnding(order, command, { found: decided, accepted, facts });
}

/**
 * The order, or null for an accepted order that cannot be read anywhere; the reason why it was not carried out; or
 * `unknown`.
 */
type OrderDecision = NetworkOrder | null | Rejection | "unknown";

function decidedUnread(
  command: OrderingCommand,
  answered: NetworkOrder | null,
  { isFinal, accepted }: AcceptedContext,
): OrderDecision {
  if (answered !== null) return answered;
  // The network's status does not show whether a FLAT closed a position, so a FLAT also needs an order in the answer.
  const isOrder = command.type !== "closePair" || accepted.orderJson !== null;
  return isFinal === true && isOrder ? null : "unknown";
}

function decidedBySight(
  { orderUuid, stored }: OrderInFlight,
  command: OrderingCommand,
  seen: {
    readonly answered: NetworkOrder | null;
    readonly sight: ObservedAccount;
    readonly about: AcceptedContext;
  },
): OrderDecision {
  const { answered, sight, about } = seen;
  if (command.type === "editOrder") {
    const fate = editFate(command, sight);
    if (fate.kind === "edited") return mergeWithAnswer(fate.order, answered);
    return fate.kind === "refused" ? fate.rejection : "unknown";
  }
  const found = foundById(sight, orderUuid, command);
  if (found !== null) return mergeWithAnswer(found, answered);
  // The network answers a FLAT without a position with success, but sends no order.
  if (command.type === "closePair" && about.accepted.orderJson === null) {
    return rejectionOfRefusal({ code: "noPosition", pair: command.pair }, stored);
  }
  const isMissing = listsEveryOrder(sight) && !sight.endedOrders.has(orderUuid);
  if (about.isFinal !== true && (answered === null || isMissing)) return "unknown";
  return answered;
}

/** The order that an answer shows; null when it shows none, or when it contradicts itself or the command. */
function credibleOrder(
  { record, legsProblem }: Acceptance,
  command: OrderingCommand,
  orderUuid: string,
): NetworkOrder | null {
  const answered =
    record === null ? null : networkOrder(record, { orderUuid, pair: pairOf(command) });
  if (answered === null || !matchesCommand(answered, command)) return null;
  return legsProblem === null ? answered : { ...answered, legs: null };
}

/**
 * Combines the order in a reading with the order in the network's answer. When both can be the same order, the figures
 * are those of the answer, because a reading lacks slippage, result and cap; the legs are those of the reading where it
 * lists them. Otherwise the order is that of the reading.
 */
function mergeWithAnswer(found: NetworkOrder, answered: NetworkOrder | null): NetworkOrder {
  if (answered === null || !isSameOrder(answered, found)) return found;
  return { ...answered, legs: found.filled ? found.legs : (found.legs ?? answered.legs) };
}

function foundById(
  sight: ObservedAccount,
  orderUuid: string,
  command: OrderingCommand,
): NetworkOrder | null {
  const found = findOrder(sight, orderUuid);
  if (found !== null) return found;
  const suffix = SUFFIXES[command.type];
  return suffix === undefined ? null : findOrder(sight, `${orderUuid}${suffix}`);
}

/**
 * The suffix of the id under which the network may continue an order: as a leg, or as the limit order of a triggered
 * stop.
 */
const SUFFIXES: Readonly<Partial<Record<OrderingCommand["type"], string>>> = {
  placeBracket: "-bracket-0",
  placeStopLimit: "-limit",
};

function orderEnding(
  order: OrderInFlight,
  command: OrderingCommand,
  about: {
    readonly found: NetworkOrder | null;
    readonly accepted: Acceptance;
    readonly facts: AnswerFacts;
  },
): OrderEnding {
  const { found, facts } = about;
  const { legsProblem } = about.accepted;
  const record = found === null ? null : orderRecordView(found, command);
  const result = orderedResult(record, {
    ...facts,
    orderUuid: networkId(order, command),
    expected: expectedStatus(command),
    legsProblem,
  });
  return doneEnding(result, facts);
}

/** The id of the order on the network. An edit has the id of the order that it edits. */
function networkId(order: OrderInFlight, command: OrderingCommand): string {
  return hasOwnId(command) ? order.orderUuid : command.replacement.orderUuid;
}

function pairOf(command: OrderingCommand): string {
  return command.type === "editOrder" ? command.replacement.pair : command.pair;
}

function expectedStatus(
  command: OrderingCommand,
): Extract<OrderStatus, "filled" | "resting" | "edited"> {
  if (placesEntry(command)) return "resting";
  switch (command.type) {
    case "placeMarket":
    case "closePair":
      return "filled";
    case "placeBracket":
      return "resting";
    case "editOrder":
      return "edited";
  }
}

function cancelEnding(fate: CancelFate, facts: AnswerFacts): OrderEnding | null {
  return fate.kind === "cancelled"
    ? doneEnding(cancelledResult({ ...facts, ...fate }), facts)
    : notDoneEnding(fate);
}

function flattenEnding(fate: FlattenFate, facts: AnswerFacts): OrderEnding | null {
  return fate.kind === "flattened"
    ? doneEnding(flattenedResult({ ...facts, ...fate }), facts)
    : notDoneEnding(fate);
}

function notDoneEnding(
  fate: Exclude<
    CancelFate | FlattenFate | EditFate,
    { kind: "cancelled" | "flattened" | "edited" }
  >,
): OrderEnding | null {
  return fate.kind === "unseen" ? null : refusedEnding(fate.rejection);
}

function doneEnding(result: OrderResult, facts: AnswerFacts): OrderEnding {
  return { ok: true, result, rendered: renderLinkedResult(result, facts) };
}

function factsOf({ orderJson, processingTime, notice }: Acceptance, seconds: number): AnswerFacts {
  return { orderJson, notice, processingTime: processingTime ?? seconds };
}

/** The end of a FLAT_ALL of a pair that has no open position. Such a command is not sent. */
export function nothingToFlattenEnding(): OrderEnding {
  const facts = factsOf(NOTHING_SENT, 0);
  return doneEnding(flattenedResult({ ...facts, closed: [], stayed: [], notFound: [] }), facts);
}

/** The end as the store keeps it, with the receipt for an order that a key signed. */
export function storedOrderEnd(
  order: NewUpstreamOrder,
  ending: OrderEnding,
  endedAtMs: UnixMs,
): OrderEnd {
  const { orderUuid, accountId, request } = order;
  const about = { orderUuid, accountId, request, endedAtMs };
  if (ending.ok) {
    return { ...about, state: "completed", receipt: { ok: true, result: ending.rendered.stored } };
  }
  const { error, text = "", refusalCode = null } = ending.rejection;
  return {
    ...about,
    state: ending.state,
    receipt: {
      ok: false,
      status: ERRORS[error].status,
      // The network's name may be empty, because no text of these errors contains it.
      error: errorText(error, { networkName: "", message: text }),
      refusalCode,
    },
  };
}
