import type { RefusalCode } from "@propgate/contract";
import {
  type CancelOrders,
  dollars,
  type EditOrder,
  type Flatten,
  type LegRequest,
  type LegSize,
  type OrderUuid,
  type PairId,
  type UnixMs,
} from "@propgate/core";
import type { Rejection } from "../../../api/gates/facts.ts";
import { refusedOrder } from "../../../api/order-body.ts";
import { STOP_CONDITION_WORDS } from "../../../api/wire.ts";
import type { NetworkOrder } from "../answer/network-order.ts";
import type { NamedPosition } from "../answer/order-result.ts";
import { belongsTo } from "../belongs-to.ts";
import type { StoredOrder } from "../stored-order.ts";
import { type AccountSight, fillIds, foundOrder, pendingOrders } from "./found-order.ts";

/*
 * LIMIT_CANCEL, LIMIT_EDIT and FLAT_ALL have no id of their own on the network. Their fate is found from the
 * account after the request is over: nothing else can change it any more.
 */

export type CancelFate =
  | {
      readonly kind: "cancelled";
      readonly ids: readonly string[];
      /** Null when it is not known. */
      readonly count: number | null;
      readonly notFound: readonly string[] | null;
    }
  | NotDone;

export type FlattenFate =
  | {
      readonly kind: "flattened";
      readonly closed: readonly NamedPosition[] | null;
      readonly stayed: readonly NamedPosition[] | null;
      readonly notFound: readonly string[];
    }
  | NotDone;

export type EditFate = { readonly kind: "edited"; readonly order: NetworkOrder } | NotDone;

export type NotDone =
  /** The network has refused it, or must have. */
  | { readonly kind: "refused"; readonly rejection: Rejection }
  /** It was not carried out and never will be. */
  | { readonly kind: "never" };

const NEVER: NotDone = { kind: "never" };
const TOP_LEVEL = { legs: "topLevel" } as const;

/** A cancel that the network accepted; `count` as the network said. */
export function acceptedCancel(
  { target, pair }: CancelOrders,
  before: StoredOrder["before"],
  count: number | null,
): CancelFate {
  if (before === null) {
    const ids = listedIds(target);
    return {
      kind: "cancelled",
      ids,
      count: count ?? (target === "all" ? null : ids.length),
      notFound: null,
    };
  }
  const ids = before.orders.filter(isTarget({ target, pair })).map(({ uuid }) => uuid);
  // The network cancelled fewer: some had ended since the account was read, and which ones is not known.
  if (count !== null && count < ids.length) {
    return { kind: "cancelled", ids: [], count, notFound: null };
  }
  return { kind: "cancelled", ids, count: count ?? ids.length, notFound: unmatched(target, ids) };
}

/** Whether a cancel of unknown fate was carried out: its orders are gone and were not filled. */
export function cancelFate(
  command: CancelOrders,
  before: StoredOrder["before"],
  now: { readonly sight: AccountSight; readonly sentAtMs: UnixMs },
): CancelFate {
  const { target } = command;
  const pending = pendingOrders(now.sight.readings);
  const isPending = new Set(pending.map(({ uuid }) => uuid));
  const filled = fillIds(now.sight);
  if (before === null && target === "all") return cancelAllFate(command, now, pending);
  const wanted = new Set([
    ...(before?.orders ?? []).filter(isTarget(command)).map(({ uuid }) => uuid),
    ...listedIds(target).filter(
      (id) => !isOfOtherPair(command, before, id) && (isPending.has(id) || hasEndedSince(now, id)),
    ),
  ]);
  const gone = [...wanted].filter((id) => !isPending.has(id) && !filled.has(id));
  if (gone.length > 0) {
    return { kind: "cancelled", ids: gone, count: gone.length, notFound: unmatched(target, gone) };
  }
  if ([...wanted].some((id) => isPending.has(id))) return NEVER;
  const [first] = listedIds(target);
  if (first === undefined) return { kind: "cancelled", ids: [], count: 0, notFound: [] };
  return refused(refusedOrder({ code: "unknownOrder", orderUuid: first }, TOP_LEVEL));
}

/** An id of a list that was not sent, because its order is in another pair. */
function isOfOtherPair({ pair }: CancelOrders, before: StoredOrder["before"], id: string): boolean {
  const order = before?.orders.find(({ uuid }) => uuid === id);
  return pair !== null && order !== undefined && order.pair !== pair;
}

/** An order that the last reading before the cancel did not have yet. */
function hasEndedSince(
  { sight, sentAtMs }: { readonly sight: AccountSight; readonly sentAtMs: UnixMs },
  id: OrderUuid,
): boolean {
  const endedAtMs = sight.endedOrders.get(id);
  return endedAtMs !== undefined && endedAtMs >= sentAtMs;
}

/** Without a list of the orders before it: an older order that is still pending was not cancelled. */
function cancelAllFate(
  { pair }: CancelOrders,
  now: { readonly sight: AccountSight; readonly sentAtMs: UnixMs },
  pending: ReturnType<typeof pendingOrders>,
): CancelFate {
  const { pairOf } = now.sight;
  const isLeft = pending.some(
    ({ pairDisplay, processedMs }) =>
      (pair === null || (pairDisplay !== null && pairOf(pairDisplay) === pair)) &&
      processedMs !== null &&
      processedMs < now.sentAtMs,
  );
  return isLeft ? NEVER : { kind: "cancelled", ids: [], count: null, notFound: [] };
}

function isTarget({ target, pair }: Pick<CancelOrders, "target" | "pair">) {
  return (order: { readonly uuid: OrderUuid; readonly pair: PairId | null }): boolean =>
    (pair === null || order.pair === pair) &&
    (target === "all" || target.some((parent) => belongsTo(order.uuid, parent)));
}

function listedIds(target: CancelOrders["target"]): readonly OrderUuid[] {
  return target === "all" ? [] : target;
}

function unmatched(
  target: CancelOrders["target"],
  ids: readonly OrderUuid[],
): readonly OrderUuid[] {
  return listedIds(target).filter((parent) => !ids.some((id) => belongsTo(id, parent)));
}

/** A FLAT_ALL that the network accepted; `sight` is null when the account could not be read after it. */
export function acceptedFlatten(
  { target, pair }: Flatten,
  before: StoredOrder["before"],
  sight: AccountSight | null,
): FlattenFate {
  const named = namedPositions({ target, pair }, before);
  if (named === null || sight === null) {
    return { kind: "flattened", closed: null, stayed: null, notFound: [] };
  }
  const isOpen = (position: NamedPosition) => position.uuid in sight.readings.positions;
  const closed = named.filter((position) => !isOpen(position));
  const stayed = named.filter(isOpen);
  if (closed.length > 0 || stayed.length === 0) return flattened(target, closed, stayed);
  const text = `Nothing could be closed: ${stayed.map(({ display }) => `${display} stays open`).join("; ")}`;
  return refused(coded("nothingClosed", text));
}

/** Whether a FLAT_ALL of unknown fate was carried out: its fills have ids of their own. */
export function flattenFate(
  { target, pair }: Flatten,
  before: StoredOrder["before"],
  sight: AccountSight,
): FlattenFate {
  const fills = fillIds(sight);
  const named = namedPositions({ target, pair }, before);
  if (named === null) return flattenAllFate(fills);
  const closed = named.filter(({ uuid }) => fills.has(flatFillId(uuid)));
  if (named.length > 0 && closed.length === 0) return NEVER;
  return flattened(
    target,
    closed,
    named.filter(({ uuid }) => uuid in sight.readings.positions),
  );
}

/** Without a list of the positions before it, the fills alone show that it was carried out. */
function flattenAllFate(fills: ReadonlySet<string>): FlattenFate {
  const isDone = [...fills].some((id) => id.endsWith(FLAT_SUFFIX));
  return isDone ? { kind: "flattened", closed: null, stayed: null, notFound: [] } : NEVER;
}

const FLAT_SUFFIX = "-flat-all";

function flatFillId(positionUuid: string): string {
  return `${positionUuid}${FLAT_SUFFIX}`;
}

/** Null when all positions are meant and those before are not known. */
function namedPositions(
  { target, pair }: Pick<Flatten, "target" | "pair">,
  before: StoredOrder["before"],
): readonly NamedPosition[] | null {
  if (before === null) return null;
  const positions = before.positions.filter((one) => pair === null || one.pair === pair);
  return target === "all" ? positions : positions.filter(({ uuid }) => isListed(target, uuid));
}

function isListed(ids: readonly string[], id: string): boolean {
  return ids.includes(id);
}

function flattened(
  target: Flatten["target"],
  closed: readonly NamedPosition[],
  stayed: readonly NamedPosition[],
): FlattenFate {
  const named = new Set([...closed, ...stayed].map(({ uuid }) => uuid));
  const notFound = target === "all" ? [] : target.filter((id) => !named.has(id));
  const [first] = notFound;
  if (first !== undefined && named.size === 0) {
    return refused(refusedOrder({ code: "unknownPosition", positionUuid: first }, TOP_LEVEL));
  }
  return { kind: "flattened", closed, stayed, notFound };
}

/** Whether an edit of unknown fate was carried out: the order now has the fields of the edit. */
export function editFate({ replacement }: EditOrder, sight: AccountSight): EditFate {
  const order = foundOrder(sight, replacement.orderUuid);
  if (order === null) return NEVER;
  return isAsEdited(order, replacement) ? { kind: "edited", order } : NEVER;
}

function isAsEdited(order: NetworkOrder, replacement: EditOrder["replacement"]): boolean {
  if (replacement.type === "editLeg") {
    return sameLeg(order, replacement.leg) && sameSize(order, replacement.leg.size);
  }
  if (!same(order.limitPrice, replacement.limitPrice)) return false;
  if (replacement.type === "placeStopLimit") {
    const condition = STOP_CONDITION_WORDS[replacement.stopCondition];
    if (!same(order.stopPrice, replacement.stopPrice)) return false;
    if (order.stopCondition !== null && order.stopCondition !== condition) return false;
  }
  if (!order.filled && !sameSize(order, replacement.size)) return false;
  return sameLegs(order, replacement.legs);
}

/** Legs that the network does not list are not compared. */
function sameLegs(order: NetworkOrder, legs: readonly LegRequest[]): boolean {
  const [first, ...more] = legs;
  if (order.legs !== null) {
    return (
      order.legs.length === legs.length &&
      order.legs.every((leg, place) => {
        const wanted = legs[place];
        return wanted !== undefined && sameLeg(leg, wanted);
      })
    );
  }
  if (more.length > 0 || order.filled) return true;
  return first === undefined
    ? order.stopLoss === null && order.takeProfit === null
    : sameLeg(order, first);
}

function sameLeg(
  one: Pick<NetworkOrder, "stopLoss" | "takeProfit" | "trailingPercent" | "trailingValue">,
  leg: LegRequest,
): boolean {
  const percent = leg.trailing?.kind === "percent" ? leg.trailing.ratio : null;
  const distance = leg.trailing?.kind === "value" ? leg.trailing.value : null;
  return (
    same(one.stopLoss, leg.stopLoss) &&
    same(one.takeProfit, leg.takeProfit) &&
    same(one.trailingPercent, percent) &&
    same(one.trailingValue, distance)
  );
}

/** A size that the network shows in another unit is not compared. */
function sameSize(order: NetworkOrder, size: LegSize | null): boolean {
  switch (size?.kind) {
    case undefined:
      return order.bracketPct === null || order.bracketPct === 1;
    case "quantity":
      return order.quantity === null || near(Math.abs(order.quantity), size.lots);
    case "value":
      return order.value === null || near(Math.abs(dollars(order.value)), dollars(size.value));
    case "leverage":
      return order.leverage === null || near(Math.abs(order.leverage), size.leverage);
    case "bracketPct":
      return order.bracketPct === null || near(order.bracketPct, size.ratio);
  }
}

function same(left: number | null, right: number | null): boolean {
  return left === null || right === null ? left === right : near(left, right);
}

/** The precision with which the network keeps a number. */
const PRECISION = 1e-9;

function near(left: number, right: number): boolean {
  return Math.abs(left - right) <= PRECISION * Math.max(1, Math.abs(left), Math.abs(right));
}

function refused(rejection: Rejection): NotDone {
  return { kind: "refused", rejection };
}

function coded(refusalCode: RefusalCode, text: string): Rejection {
  return { error: "orderRefused", text, refusalCode };
}
