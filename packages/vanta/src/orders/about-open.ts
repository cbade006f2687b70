import { canonicalId } from "@propgate/contract";
import {
  type CancelOrders,
  type Direction,
  type EditLeg,
  type EditOrder,
  type Flatten,
  type LegRequest,
  legsRefusal,
  type OrderCommand,
  type OrderUuid,
  orderUuid,
  type PairFinder,
  type PairId,
  type PlaceBracket,
  parentOrderOfLeg,
  positionUuid,
  price,
  type Refusal,
  ratio,
  unixMs,
} from "@propgate/core";
import type { LinkedOrder, LinkedReadings } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { markPrice } from "../views/mark-price.ts";
import { isOrderOrLegOf } from "./belongs-to.ts";
import { sameLeg, sameSize } from "./fate/agreement.ts";
import { pendingOrders } from "./fate/found-order.ts";
import type { ReadBefore } from "./fate/sight.ts";

/** The account before an order, with the network's pairs. */
export interface ObservedAccountBefore extends ReadBefore {
  readonly pairOf: PairFinder;
  /** The pairs that the network lists; null when they could not be read. */
  readonly pairs: LinkedPairs | null;
}

/** A command as it is sent, or the reason why it is not sent. */
export type ReadyCommand =
  | {
      readonly kind: "ready";
      readonly sent: OrderCommand;
      /** The command by which the fate of the order is found. */
      readonly kept: OrderCommand;
      /** The ids of the legs of an edited entry, in their order; empty for every other command. */
      readonly legIds: readonly string[];
    }
  /** The command needs a reading made just before it, and the account cannot be read. */
  | { readonly kind: "unread" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

type ReadAccount = Omit<ObservedAccountBefore, "readings"> & { readonly readings: LinkedReadings };

/**
 * Prepares a command for the network by comparing it with the account before the command. The network has no FLAT_ALL
 * of one pair, and ignores a pair that is sent together with ids. It replaces a wrong direction of a leg, cancels the
 * legs of a filled entry under the entry's id, and reads an edit of a filled entry as new legs. So the service makes
 * these comparisons itself, and sends ids. @rule D13.pairOfIds D13.ownDirection D13.oneOrder D13.keptLegs
 * D10.firesAtOnce
 */
export function readyCommand(given: OrderCommand, sight: ObservedAccountBefore): ReadyCommand {
  const { readings } = sight;
  if (!canBeSent(given, sight)) return { kind: "unread" };
  if (readings === null) return readyToSend(given);
  const seen = { ...sight, readings };
  const command = withOwnIds(given, readings);
  if (command.type === "flatten") {
    return command.target === "all" ? readyFlatAll(command, seen) : readyIds(command, seen);
  }
  if (command.type === "cancelOrders" && command.target !== "all") return readyIds(command, seen);
  if (command.type === "placeBracket") return readyBracket(command, seen);
  if (command.type === "editOrder") {
    return command.replacement.type === "editLeg"
      ? readyLegEdit(command, command.replacement, seen)
      : readyEntryEdit(command, seen);
  }
  // Any other command has no id and no direction that the account could contradict.
  return readyToSend(command);
}

/**
 * The command with its ids in the letter case of the network. A request's uuids are in lower case, but the network
 * keeps the case in which the sender of an order wrote its id. An id that the account does not have is unchanged.
 * @rule D12.idCase
 */
function withOwnIds(command: OrderCommand, readings: LinkedReadings): OrderCommand {
  const filled = Object.values(readings.positions).flatMap(({ fills }) => fills ?? []);
  const orders = [...pendingOrders(readings), ...filled].map(({ uuid }) => uuid);
  const ids = [...orders, ...orders.flatMap((id) => parentOrderOfLeg(id) ?? [])];
  const own = new Map(
    [...Object.keys(readings.positions), ...ids].map((id) => [canonicalId(id), id]),
  );
  const idOf = (id: string): string => own.get(canonicalId(id)) ?? id;
  if (command.type === "cancelOrders" && command.target !== "all") {
    return { ...command, target: command.target.map((id) => orderUuid(idOf(id))) };
  }
  if (command.type === "flatten" && command.target !== "all") {
    return { ...command, target: command.target.map((id) => positionUuid(idOf(id))) };
  }
  if (command.type !== "editOrder") return command;
  const { replacement } = command;
  const id = orderUuid(idOf(replacement.orderUuid));
  return { ...command, replacement: { ...replacement, orderUuid: id } };
}

/**
 * True when the readings are recent enough for the command. Old readings may lack a position that has opened, or have
 * an entry that has filled. So a FLAT_ALL of one pair and a LIMIT_CANCEL of ids need a reading made just before them. A
 * FLAT_ALL of all positions and a LIMIT_CANCEL of all orders need none. Any other command needs a reading of any age,
 * unless `needsNoReading` is true for it. @rule D13.linkedSight decides
 */
function canBeSent(command: OrderCommand, { readings, isOfNow }: ObservedAccountBefore): boolean {
  if (isOfNow) return true;
  if (command.type === "flatten" && command.target === "all") return command.pair === null;
  if (command.type === "cancelOrders") return command.target === "all";
  return readings !== null || needsNoReading(command);
}

/**
 * True for a command that can be sent although the account was never read, because it has no value that must be
 * compared with the account.
 */
function needsNoReading(command: OrderCommand): boolean {
  if (command.type === "flatten" && command.pair !== null) return false;
  const { repeatedDirection } = {
    repeatedDirection: undefined,
    ...(command.type === "editOrder" ? command.replacement : command),
  };
  return repeatedDirection === undefined;
}

function readyToSend(
  sent: OrderCommand,
  kept = sent,
  legIds: readonly string[] = [],
): ReadyCommand {
  return { kind: "ready", sent, kept, legIds };
}

function notSent(refusal: Refusal): ReadyCommand {
  return { kind: "refused", refusal };
}

function readyBracket(command: PlaceBracket, seen: ReadAccount): ReadyCommand {
  const position = positionIn(command.pair, seen);
  if (position === undefined) return readyToSend(command);
  const turned = directionRefusal(command.repeatedDirection, position);
  const refusal = turned ?? levelRefusal(command.legs, position, seen);
  return refusal === null ? readyToSend(command) : notSent(refusal);
}

/**
 * Prepares an edit of a leg. A leg without a size is for the whole position. The network keeps the old size unless a
 * size is sent, so the service sends one.
 */
function readyLegEdit(command: EditOrder, replacement: EditLeg, seen: ReadAccount): ReadyCommand {
  const { leg } = replacement;
  const size = leg.size ?? ({ kind: "bracketPct", ratio: ratio(1) } as const);
  const sent = readyToSend(
    { ...command, replacement: { ...replacement, leg: { ...leg, size } } },
    command,
  );
  const order = orderOf(replacement.orderUuid, seen);
  if (order === undefined) return sent;
  const position = positionIn(order.pair, seen);
  const refusal =
    directionRefusal(replacement.repeatedDirection, order) ??
    (position === undefined ? null : levelRefusal([leg], position, seen));
  return refusal === null ? sent : notSent(refusal);
}

/**
 * Prepares an edit of an entry. The edit is refused when the entry has filled: the network would then change the
 * entry's legs, or add legs that are sent without ids.
 */
function readyEntryEdit(command: EditOrder, seen: ReadAccount): ReadyCommand {
  const { replacement } = command;
  if (replacement.type === "editLeg") return readyToSend(command);
  const { orderUuid: id, direction, legs } = replacement;
  if (hasFilled(id, seen)) return notSent({ code: "unknownOrder", orderUuid: id });
  const order = orderOf(id, seen);
  const turned = order === undefined ? null : directionRefusal(direction, order);
  if (turned !== null) return notSent(turned);
  return readyToSend(command, command, legIds(id, legs, order?.legs ?? []));
}

/**
 * The ids of an edited entry's legs: an unchanged leg keeps its id, a changed leg takes one of the remaining ids, and
 * an additional leg gets the next id in the network's form. @rule D13.keptLegs decides
 */
function legIds(
  entry: OrderUuid,
  legs: readonly LegRequest[],
  held: readonly LinkedOrder[],
): readonly string[] {
  const left = [...held];
  const take = (isIt: (leg: LinkedOrder) => boolean): string | undefined => {
    const at = left.findIndex(isIt);
    return at === -1 ? undefined : left.splice(at, 1)[0]?.uuid;
  };
  const kept = legs.map((leg) => take((one) => sameLeg(one, leg) && sameSize(one, leg.size)));
  let next = held.length;
  const further = (): string => {
    next += 1;
    return `${entry}-bracket-${next - 1}`;
  };
  return kept.map((id) => id ?? take(() => true) ?? further());
}

/** Whether a reading shows that an order has filled: the order is among the fills, or its legs are pending. */
function hasFilled(id: OrderUuid, { readings }: ReadAccount): boolean {
  const pending = pendingOrders(readings).map(({ uuid }) => uuid);
  if (pending.includes(id)) return false;
  const fills = Object.values(readings.positions).flatMap((position) => position.fills ?? []);
  return (
    fills.some(({ uuid }) => uuid === id) ||
    pending.some((uuid) => isOrderOrLegOf(orderUuid(uuid), id))
  );
}

/**
 * The refusal of legs that the present mark rules out: a price that the mark has reached, because such a leg would
 * trigger immediately, or a trailing distance that is too large for the mark. Null when the legs are valid, or when the
 * present mark is not known.
 */
function levelRefusal(
  legs: readonly LegRequest[],
  { uuid, direction }: NamedItem,
  { readings, isOfNow, pairs, pairOf }: ReadAccount,
): Refusal | null {
  const position = readings.positions[uuid];
  const mark = isOfNow && position !== undefined ? markPrice(position, pairs) : null;
  if (mark === null || position === undefined || direction === null) return null;
  const [at, pair] = [price(mark), pairOf(position.pairDisplay)];
  const quote = { pair, bid: at, ask: at, atMs: unixMs(position.openMs) };
  const refusal = legsRefusal(legs, { direction, entryPrice: null, quote });
  return refusal?.code === "wouldTrigger" ? { ...refusal, side: "mid" } : refusal;
}

function readyFlatAll(command: Flatten, seen: ReadAccount): ReadyCommand {
  if (command.pair === null) return readyToSend(command);
  const ids = positions(seen)
    .filter(({ pair }) => pair === command.pair)
    .map(({ uuid }) => positionUuid(uuid));
  return readyToSend({ ...command, target: ids, pair: null }, command);
}

/** An order or position of the account. */
interface NamedItem {
  readonly uuid: string;
  readonly pair: PairId | null;
  readonly direction: Direction | null;
}

function readyIds(command: CancelOrders | Flatten, seen: ReadAccount): ReadyCommand {
  if (command.target === "all") return readyToSend(command);
  const { pair, repeatedDirection } = command;
  const ids: readonly string[] = command.target;
  const isFlatten = command.type === "flatten";
  const named = (isFlatten ? positions(seen) : orders(seen)).filter(({ uuid }) =>
    ids.includes(uuid),
  );
  const others = named.filter((one) => pair !== null && one.pair !== pair).map(({ uuid }) => uuid);
  const left = ids.filter(
    (id) => !others.includes(id) && (isFlatten || !hasFilled(orderUuid(id), seen)),
  );
  const [first = ""] = ids;
  if (left.length === 0) {
    return notSent(
      isFlatten
        ? { code: "unknownPosition", positionUuid: first, ...(pair === null ? {} : { pair }) }
        : { code: "unknownOrder", orderUuid: orderUuid(first), ...(pair === null ? {} : { pair }) },
    );
  }
  for (const one of named.filter(({ uuid }) => left.includes(uuid))) {
    const turned = directionRefusal(repeatedDirection, one);
    if (turned !== null) return notSent(turned);
  }
  const sent: OrderCommand = isFlatten
    ? { ...command, target: left.map(positionUuid), pair: null }
    : { ...command, target: left.map(orderUuid), pair: null };
  return readyToSend(sent, command);
}

/**
 * The refusal of a direction that differs from that of the order or position whose id was sent with it. Null when the
 * directions agree, or when one is not known.
 */
function directionRefusal(
  repeated: Direction | undefined,
  { uuid, direction }: NamedItem,
): Refusal | null {
  if (repeated === undefined || direction === null || direction === repeated) return null;
  return { code: "directionMismatch", id: uuid, direction };
}

function positionIn(pair: PairId | null, seen: ReadAccount): NamedItem | undefined {
  return positions(seen).find((one) => one.pair === pair);
}

function orderOf(
  id: OrderUuid,
  seen: ReadAccount,
): (NamedItem & Pick<LinkedOrder, "legs">) | undefined {
  return orders(seen).find(({ uuid }) => uuid === id);
}

function positions({ readings, pairOf }: ReadAccount): readonly NamedItem[] {
  return Object.values(readings.positions).map(({ uuid, pairDisplay, direction }) => ({
    uuid,
    pair: pairOf(pairDisplay),
    direction: sideOf(direction),
  }));
}

function orders({
  readings,
  pairOf,
}: ReadAccount): readonly (NamedItem & Pick<LinkedOrder, "legs">)[] {
  return pendingOrders(readings).map(({ uuid, pairDisplay, type, legs }) => ({
    uuid,
    pair: pairDisplay === null ? null : pairOf(pairDisplay),
    direction: sideOf(type),
    legs,
  }));
}

function sideOf(word: string | null): Direction | null {
  if (word === "LONG") return "long";
  return word === "SHORT" ? "short" : null;
}
