import { ERRORS, errorText, type OrderResult, type OrderStatus } from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { Rejection } from "../../../api/gates/facts.ts";
import { refusedOrder } from "../../../api/order-body.ts";
import type { NewUpstreamOrder, OrderEnd } from "../../../storage/rows/upstream-order.ts";
import type { RenderedReceipt } from "../../../trading/network/port.ts";
import type { Accepted } from "../answer/gateway-answer.ts";
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
  acceptedCancel,
  acceptedFlatten,
  type CancelFate,
  cancelFate,
  type EditFate,
  editFate,
  type FlattenFate,
  flattenFate,
} from "./act-fate.ts";
import { type AccountSight, foundOrder } from "./found-order.ts";

/** An order on its way: its row, and the parsed command. */
export interface OrderOnItsWay extends NewUpstreamOrder {
  readonly stored: StoredOrder;
}

/** How an order ended, for its sender and its receipt. */
export type Ending =
  | { readonly ok: true; readonly result: OrderResult; readonly rendered: RenderedReceipt }
  | {
      readonly ok: false;
      readonly state: "failed" | "never";
      readonly rejection: Rejection;
    };

export const NOT_TAKEN: Ending = {
  ok: false,
  state: "never",
  rejection: { error: "networkDown" },
};
export const NEVER: Ending = {
  ok: false,
  state: "never",
  rejection: { error: "notCarriedOut" },
};

export function refusedEnding(rejection: Rejection): Ending {
  return { ok: false, state: "failed", rejection };
}

/** Reads the account as it is after the network's answer; null when it cannot be read now. */
export type SightAfter = () => Promise<AccountSight | null>;

const NOTHING_SENT: Accepted = {
  orderJson: null,
  record: null,
  legsProblem: null,
  notice: "",
  processingTime: null,
};

/**
 * The end of an order that the network accepted. The account is read where the answer has no record that can
 * be read, and after a FLAT_ALL, whose answer does not list what was closed. Returns null while the account cannot be
 * read and the answer does not say whether a FLAT closed anything.
 */
export async function acceptedEnding(
  order: OrderOnItsWay,
  accepted: Accepted,
  about: { readonly seconds: number; readonly sightAfter: SightAfter },
): Promise<Ending | null> {
  const { command, before } = order.stored;
  const facts = factsOf(accepted, about.seconds);
  if (command.type === "flatten") {
    return flattenEnding(acceptedFlatten(command, before, await about.sightAfter()), facts);
  }
  if (command.type !== "cancelOrders") {
    return orderedEnding(order, command, { accepted, ...about });
  }
  const { record } = accepted;
  const count = record === null ? null : recordFields(record).number("num_cancelled");
  return cancelEnding(acceptedCancel(command, before, count), facts);
}

/** The end of a LIMIT_CANCEL, LIMIT_EDIT or FLAT_ALL of unknown fate, from the account after its request. */
export function actEnding(order: OrderOnItsWay, sight: AccountSight, seconds: number): Ending {
  const { command, before } = order.stored;
  const facts = factsOf(NOTHING_SENT, seconds);
  if (command.type === "cancelOrders") {
    const now = { sight, sentAtMs: order.createdAtMs };
    return cancelEnding(cancelFate(command, before, now), facts);
  }
  if (command.type === "flatten") {
    return flattenEnding(flattenFate(command, before, sight), facts);
  }
  if (command.type !== "editOrder") {
    throw new Error("broken invariant: an order with an id of its own is asked for by its id");
  }
  const fate = editFate(command, sight);
  return fate.kind === "edited"
    ? orderEnding(order, command, { found: fate.order, accepted: NOTHING_SENT, facts })
    : notDone(fate);
}

async function orderedEnding(
  order: OrderOnItsWay,
  command: OrderingCommand,
  about: {
    readonly accepted: Accepted;
    readonly seconds: number;
    readonly sightAfter: SightAfter;
  },
): Promise<Ending | null> {
  const { accepted } = about;
  const facts = factsOf(accepted, about.seconds);
  const wanted = { orderUuid: networkId(order, command), pair: pairOf(command) };
  const answered = accepted.record === null ? null : networkOrder(accepted.record, wanted);
  if (answered !== null && !lacksLegs(answered, command, accepted)) {
    return orderEnding(order, command, { found: answered, accepted, facts });
  }
  const sight = await about.sightAfter();
  const found = sight === null ? null : foundById(sight, wanted.orderUuid, command);
  if (answered !== null) {
    const withLegs = { ...answered, legs: found?.legs ?? null };
    return orderEnding(order, command, { found: withLegs, accepted, facts });
  }
  // The network answers a FLAT without a position with a success, but without an order.
  const isWithoutOrder = accepted.orderJson === null && accepted.legsProblem === null;
  if (command.type === "closePair" && isWithoutOrder && found === null) {
    if (sight === null) return null;
    const { legs } = order.stored;
    return refusedEnding(refusedOrder({ code: "noPosition", pair: command.pair }, { legs }));
  }
  return orderEnding(order, command, { found, accepted, facts });
}

/** The network's record of a fill may leave out legs that were sent as a list; the dashboard has them. */
function lacksLegs(
  { filled, legs }: NetworkOrder,
  command: OrderingCommand,
  { legsProblem }: Accepted,
): boolean {
  const hasSentLegs = "legs" in command && command.legs.length > 0;
  return filled && legs === null && legsProblem === null && hasSentLegs;
}

function foundById(
  sight: AccountSight,
  orderUuid: string,
  command: OrderingCommand,
): NetworkOrder | null {
  const found = foundOrder(sight, orderUuid);
  if (found !== null) return found;
  const suffix = SUFFIXES[command.type];
  return suffix === undefined ? null : foundOrder(sight, `${orderUuid}${suffix}`);
}

/** The id under which the network may go on with an order: a leg, or the limit order of a triggered stop. */
const SUFFIXES: Readonly<Partial<Record<OrderingCommand["type"], string>>> = {
  placeBracket: "-bracket-0",
  placeStopLimit: "-limit",
};

function orderEnding(
  order: OrderOnItsWay,
  command: OrderingCommand,
  about: {
    readonly found: NetworkOrder | null;
    readonly accepted: Accepted;
    readonly facts: AnswerFacts;
  },
): Ending {
  const { found, facts } = about;
  const { legsProblem } = about.accepted;
  const record =
    found === null ? null : orderRecordView(found, command, { legsAttached: legsProblem === null });
  const result = orderedResult(record, {
    ...facts,
    orderUuid: networkId(order, command),
    expected: expectedStatus(command),
    legsProblem,
  });
  return done(result, facts);
}

/** An edited order keeps its id. */
function networkId(order: OrderOnItsWay, command: OrderingCommand): string {
  return hasOwnId(command) ? order.orderUuid : command.replacement.orderUuid;
}

function pairOf(command: OrderingCommand): string {
  return command.type === "editOrder" ? command.replacement.pair : command.pair;
}

function expectedStatus(
  command: OrderingCommand,
): Extract<OrderStatus, "filled" | "resting" | "edited"> {
  switch (command.type) {
    case "placeMarket":
    case "closePair":
      return "filled";
    case "placeLimit":
    case "placeStopLimit":
    case "placeBracket":
      return "resting";
    case "editOrder":
      return "edited";
  }
}

function cancelEnding(fate: CancelFate, facts: AnswerFacts): Ending {
  return fate.kind === "cancelled"
    ? done(cancelledResult({ ...facts, ...fate }), facts)
    : notDone(fate);
}

function flattenEnding(fate: FlattenFate, facts: AnswerFacts): Ending {
  return fate.kind === "flattened"
    ? done(flattenedResult({ ...facts, ...fate }), facts)
    : notDone(fate);
}

function notDone(
  fate: Exclude<
    CancelFate | FlattenFate | EditFate,
    { kind: "cancelled" | "flattened" | "edited" }
  >,
): Ending {
  return fate.kind === "never" ? NEVER : refusedEnding(fate.rejection);
}

function done(result: OrderResult, facts: AnswerFacts): Ending {
  return { ok: true, result, rendered: renderLinkedResult(result, facts) };
}

function factsOf({ orderJson, processingTime, notice }: Accepted, seconds: number): AnswerFacts {
  return { orderJson, notice, processingTime: processingTime ?? seconds };
}

/** A FLAT_ALL of a pair that has no open position: there is nothing to send. */
export function nothingToFlatten(): Ending {
  const facts = factsOf(NOTHING_SENT, 0);
  return done(flattenedResult({ ...facts, closed: [], stayed: [], notFound: [] }), facts);
}

/** The end as the store keeps it, with the receipt of a key's order. */
export function orderEnd(order: NewUpstreamOrder, ending: Ending, endedAtMs: UnixMs): OrderEnd {
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
      // No error of an order names the network.
      error: errorText(error, { networkName: "", message: text }),
      refusalCode,
    },
  };
}
