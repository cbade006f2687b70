import type { RefusalCode } from "@propgate/contract";
import {
  type CancelOrders,
  type EditOrder,
  type Flatten,
  type OrderUuid,
  orderUuid,
  type PairId,
  type UnixMs,
} from "@propgate/core";
import { type Rejection, rejectionOfRefusal } from "@propgate/wire";
import type { NetworkOrder } from "../answer/network-order.ts";
import type { NamedPosition } from "../answer/order-result.ts";
import { isOrderOrLegOf } from "../belongs-to.ts";
import type { OpenItemsBefore } from "../stored-order.ts";
import { isAsEdited } from "./agreement.ts";
import {
  fillIds,
  findOrder,
  type ObservedAccount,
  openItemsOf,
  pendingOrders,
} from "./found-order.ts";

/*
 * LIMIT_CANCEL, LIMIT_EDIT and FLAT_ALL have no id of their own on the network. Their effect is found from a reading of
 * the account after them, whether the network has answered or not. @rule D13.linkedSight
 */

/** The fate of a LIMIT_CANCEL: the orders that it cancelled, or that it was refused or its effect is not seen yet. */
export type CancelFate =
  | {
      readonly kind: "cancelled";
      readonly ids: readonly string[];
      /** The number of cancelled orders; null when it is not known. */
      readonly count: number | null;
      readonly notFound: readonly string[] | null;
      /**
       * Positions that are open without a stop: for `ALL` those of the command's pair, or of every pair; for ids those
       * in the pairs of the orders.
       */
      readonly withoutStop: readonly NamedPosition[];
    }
  | NotDone;

/**
 * The fate of a FLAT_ALL: the positions that it closed and those that stay open, or that it was refused or its effect
 * is not seen yet.
 */
export type FlattenFate =
  | {
      readonly kind: "flattened";
      /** Null when the positions before the FLAT_ALL are not known. */
      readonly closed: readonly NamedPosition[] | null;
      readonly stayed: readonly NamedPosition[];
      readonly notFound: readonly string[];
    }
  | NotDone;

/** The fate of a LIMIT_EDIT: the edited order, or that the edit was refused or its effect is not seen yet. */
export type EditFate = { readonly kind: "edited"; readonly order: NetworkOrder } | NotDone;

/** The fate of a command whose effect is not found: it was refused, or is not seen yet. */
export type NotDone =
  /** The network has refused the command, or the account shows that it must have refused it. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** The account does not show the effect of the command, which may still be on its way. */
  | { readonly kind: "unseen" };

const NOT_SEEN_YET: NotDone = { kind: "unseen" };
const TOP_LEVEL = { legs: "topLevel" } as const;

/** The account before and after a command without an id of its own. */
export interface AccountAroundCommand {
  /** The open orders and positions before; null when the account was never read. */
  readonly before: OpenItemsBefore | null;
  readonly account: ObservedAccount;
  readonly sentAtMs: UnixMs;
}

/**
 * Finds the effect of a cancel: its orders are gone and were not filled. `count` is the number of cancelled orders in
 * the network's answer, null without an answer. Without an answer, a cancel of `ALL` that found no order counts as
 * unseen, because it may still arrive and cancel later orders. A cancel of ids that ended no order, and of which none
 * is pending, counts as refused.
 */
export function cancelFate(
  command: CancelOrders,
  around: AccountAroundCommand,
  count: number | null,
): CancelFate {
  const { before, account } = around;
  const pending = pendingOrders(account.readings);
  const isPending = new Set(pending.map(({ uuid }) => uuid));
  if (before === null && command.target === "all") return cancelAllFate(command, around, count);
  const filled = fillIds(account);
  const wanted = wantedOrders(command, around, isPending);
  const gone = wanted.filter((id) => !isPending.has(id) && !filled.has(id));
  if (gone.length > 0) {
    // The network cancelled fewer orders: some had ended since the account was read, and which ones is not known.
    if (count !== null && count < gone.length)
      return cancelledFate(command, around, { ids: [], count });
    return cancelledFate(command, around, { ids: gone, count: count ?? gone.length });
  }
  if (wanted.some((id) => isPending.has(id))) return NOT_SEEN_YET;
  const [first] = listedIds(command.target);
  if (first !== undefined) return unknownOrder(first);
  return count === null ? NOT_SEEN_YET : cancelledFate(command, around, { ids: [], count });
}

function cancelledFate(
  command: CancelOrders,
  { before, account }: AccountAroundCommand,
  done: { readonly ids: readonly OrderUuid[]; readonly count: number },
): CancelFate {
  const isPending = new Set(pendingOrders(account.readings).map(({ uuid }) => uuid));
  const isKnown = done.ids.length > 0 || done.count === 0;
  const notFound = listedIds(command.target).filter(
    (id) => !done.ids.includes(id) && !isPending.has(id),
  );
  const targets = (before?.orders ?? []).filter(isTarget(command));
  const isNamed = (position: NamedPosition): boolean =>
    command.target === "all"
      ? command.pair === null || position.pair === command.pair
      : targets.some(({ pair }) => pair === position.pair);
  return {
    kind: "cancelled",
    ...done,
    notFound: isKnown ? notFound : null,
    withoutStop: positionsWithoutStop(account).filter(isNamed),
  };
}

/** Open positions without a leg that stops them. */
function positionsWithoutStop({ readings, pairOf }: ObservedAccount): readonly NamedPosition[] {
  const pending = pendingOrders(readings);
  const isStop = ({ stopLoss, trailingPercent, trailingValue }: (typeof pending)[number]) =>
    [stopLoss, trailingPercent, trailingValue].some((level) => level !== null);
  const stopped = new Set(
    pending
      .filter((one) => one.executionType === "BRACKET" && isStop(one))
      .map(({ pairDisplay }) => pairDisplay),
  );
  return openItemsOf({ readings, pairOf }).positions.filter(({ display }) => !stopped.has(display));
}

/**
 * The orders that a cancel could end: its targets, other listed ids that are pending or have ended since, and the legs
 * of a target that filled before the cancel arrived.
 */
function wantedOrders(
  command: CancelOrders,
  around: AccountAroundCommand,
  isPending: ReadonlySet<string>,
): readonly OrderUuid[] {
  const { before } = around;
  const targets = (before?.orders ?? []).filter(isTarget(command));
  const others = listedIds(command.target).filter(
    (id) => !isOfOtherPair(command, before, id) && (isPending.has(id) || hasEndedSince(around, id)),
  );
  const legs = targets.flatMap((entry) => attachedLegs(entry, around));
  return [...new Set([...targets.map(({ uuid }) => uuid), ...others, ...legs])];
}

/**
 * The legs of an entry that has filled since the reading before the cancel. They are the legs in the list of ended
 * orders, and all legs that the entry's open position should have: another reader may have received the end of these
 * legs.
 */
function attachedLegs(
  { uuid, legs }: OpenItemsBefore["orders"][number],
  { before, account }: AccountAroundCommand,
): readonly OrderUuid[] {
  const known = new Set((before?.orders ?? []).map((one) => one.uuid));
  const ended = [...account.endedOrders.keys()]
    .map(orderUuid)
    .filter((id) => id !== uuid && !known.has(id) && isOrderOrLegOf(id, uuid));
  const isOpen = Object.values(account.readings.positions).some(({ fills }) =>
    (fills ?? []).some((fill) => fill.uuid === uuid),
  );
  return isOpen ? [...ended, ...legs] : ended;
}

/** True for a listed id that was not sent, because its order is in another pair. */
function isOfOtherPair(
  { pair }: CancelOrders,
  before: OpenItemsBefore | null,
  id: string,
): boolean {
  const order = before?.orders.find(({ uuid }) => uuid === id);
  return pair !== null && order !== undefined && order.pair !== pair;
}

/**
 * True when an order has ended since the cancel was sent. The last reading before the cancel may not have had the order
 * yet.
 */
function hasEndedSince({ account, sentAtMs }: AccountAroundCommand, id: OrderUuid): boolean {
  const endedAtMs = account.endedOrders.get(id);
  return endedAtMs !== undefined && endedAtMs >= sentAtMs;
}

/**
 * The fate of a cancel of `ALL` when the orders before it are not known. An older order that is still pending was not
 * cancelled.
 */
function cancelAllFate(
  command: CancelOrders,
  { account, sentAtMs }: AccountAroundCommand,
  count: number | null,
): CancelFate {
  const { pair } = command;
  const isLeft = pendingOrders(account.readings).some(
    ({ pairDisplay, processedMs }) =>
      (pair === null || (pairDisplay !== null && account.pairOf(pairDisplay) === pair)) &&
      processedMs !== null &&
      processedMs < sentAtMs,
  );
  if (isLeft || (count === null && !endedSomeOrder(command, { account, sentAtMs })))
    return NOT_SEEN_YET;
  const withoutStop = positionsWithoutStop(account).filter(
    (one) => pair === null || one.pair === pair,
  );
  return { kind: "cancelled", ids: [], count, notFound: [], withoutStop };
}

/**
 * Whether an order has ended without a fill since the cancel was sent. The network's list of ended orders has no pair,
 * so it cannot show a cancel of one pair.
 */
function endedSomeOrder(
  { pair }: CancelOrders,
  { account, sentAtMs }: Omit<AccountAroundCommand, "before">,
): boolean {
  const filled = fillIds(account);
  const ended = [...account.endedOrders].filter(
    ([id, atMs]) => atMs >= sentAtMs && !filled.has(id),
  );
  return pair === null && ended.length > 0;
}

function isTarget({ target, pair }: Pick<CancelOrders, "target" | "pair">) {
  return (order: { readonly uuid: OrderUuid; readonly pair: PairId | null }): boolean =>
    (pair === null || order.pair === pair) && (target === "all" || target.includes(order.uuid));
}

function listedIds(target: CancelOrders["target"]): readonly OrderUuid[] {
  return target === "all" ? [] : target;
}

/**
 * Finds the effect of a FLAT_ALL, whose fills have ids of their own. `isAccepted`: the network confirmed the FLAT_ALL,
 * so it closed every position that is gone and whose fills are not known.
 */
export function flattenFate(
  command: Flatten,
  { before, account, sentAtMs }: AccountAroundCommand,
  isAccepted: boolean,
): FlattenFate {
  const isNamed = isNamedBy(command);
  const stayed = openItemsOf(account).positions.filter(isNamed);
  const fills = fillIds(account);
  if (before === null) {
    const isDone = isAccepted || hasFlattenedSince(account, sentAtMs);
    return isDone ? { kind: "flattened", closed: null, stayed, notFound: [] } : NOT_SEEN_YET;
  }
  const named = before.positions.filter(isNamed);
  const isOpen = new Set(stayed.map(({ uuid }) => uuid));
  const gone = named.filter(
    ({ uuid }) =>
      !isOpen.has(uuid) &&
      (fills.has(flatFillId(uuid)) || (isAccepted && !hasKnownFills(account, uuid))),
  );
  const closed = [...gone, ...closedSince(account, before).filter(isNamed)];
  if (closed.length > 0) return flattenedFate(command.target, closed, stayed);
  if (!isAccepted && couldStillClose(command, { named, stayed, isOpen })) return NOT_SEEN_YET;
  return stayed.length > 0 ? nothingClosed(stayed) : flattenedFate(command.target, [], []);
}

/**
 * Whether a FLAT_ALL without an answer could still close a position. Ids and a pair are sent as ids, and a closed
 * position stays closed. `ALL` closes the positions that are open when it arrives.
 */
function couldStillClose(
  { target, pair }: Flatten,
  about: {
    readonly named: readonly NamedPosition[];
    readonly stayed: readonly NamedPosition[];
    readonly isOpen: ReadonlySet<string>;
  },
): boolean {
  if (target !== "all") return about.stayed.length > 0;
  return pair === null || about.named.some(({ uuid }) => about.isOpen.has(uuid));
}

const FLAT_SUFFIX = "-flat-all";

function hasFlattenedSince({ readings, closed }: ObservedAccount, sinceMs: UnixMs): boolean {
  return [...Object.values(readings.positions), ...closed].some(({ fills }) =>
    (fills ?? []).some(
      ({ uuid, processedMs }) => uuid.endsWith(FLAT_SUFFIX) && (processedMs ?? 0) >= sinceMs,
    ),
  );
}

function flatFillId(positionUuid: string): string {
  return `${positionUuid}${FLAT_SUFFIX}`;
}

function isNamedBy({ target, pair }: Flatten): (position: NamedPosition) => boolean {
  const ids: readonly string[] = target === "all" ? [] : target;
  return (position) =>
    (pair === null || position.pair === pair) && (target === "all" || ids.includes(position.uuid));
}

function hasKnownFills({ closed }: ObservedAccount, uuid: string): boolean {
  const record = closed.find((one) => one.uuid === uuid);
  return record !== undefined && record.fills !== null;
}

/** Positions that opened after the reading before the FLAT_ALL, and that it has closed. */
function closedSince(
  { closed, pairOf }: ObservedAccount,
  { positions, positionsMs }: OpenItemsBefore,
): readonly NamedPosition[] {
  return closed
    .filter(
      ({ uuid, fills }) =>
        positions.every((one) => one.uuid !== uuid) &&
        (fills ?? []).some(
          (fill) => fill.uuid === flatFillId(uuid) && (fill.processedMs ?? 0) > (positionsMs ?? 0),
        ),
    )
    .map(({ uuid, pairDisplay }) => ({ uuid, pair: pairOf(pairDisplay), display: pairDisplay }));
}

function nothingClosed(stayed: readonly NamedPosition[]): NotDone {
  const names = stayed.map(({ display }) => `${display} stays open`).join("; ");
  return refusedFate(codedRejection("nothingClosed", `Nothing could be closed: ${names}`));
}

function flattenedFate(
  target: Flatten["target"],
  closed: readonly NamedPosition[],
  stayed: readonly NamedPosition[],
): FlattenFate {
  const named = new Set([...closed, ...stayed].map(({ uuid }) => uuid));
  const notFound = target === "all" ? [] : target.filter((id) => !named.has(id));
  const [first] = notFound;
  if (first !== undefined && named.size === 0) {
    return refusedFate(
      rejectionOfRefusal({ code: "unknownPosition", positionUuid: first }, TOP_LEVEL),
    );
  }
  return { kind: "flattened", closed, stayed, notFound };
}

/**
 * Finds the effect of an edit: the order has the fields of the edit. An order that has filled or is gone cannot be
 * edited, so the edit counts as refused.
 */
export function editFate({ replacement }: EditOrder, sight: ObservedAccount): EditFate {
  const order = findOrder(sight, replacement.orderUuid);
  if (order !== null && isAsEdited(order, replacement)) return { kind: "edited", order };
  return order === null || order.filled ? unknownOrder(replacement.orderUuid) : NOT_SEEN_YET;
}

function unknownOrder(id: OrderUuid): NotDone {
  return refusedFate(rejectionOfRefusal({ code: "unknownOrder", orderUuid: id }, TOP_LEVEL));
}

function refusedFate(rejection: Rejection): NotDone {
  return { kind: "refused", rejection };
}

function codedRejection(refusalCode: RefusalCode, text: string): Rejection {
  return { error: "orderRefused", text, refusalCode };
}
