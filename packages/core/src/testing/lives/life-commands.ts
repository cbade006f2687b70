/** Makes the command of a step, from the present account and market. */

import {
  accountId,
  type OrderUuid,
  orderUuid,
  ownerId,
  type PairId,
  positionUuid,
} from "../../ids.ts";
import type { AccountState } from "../../state/account.ts";
import type { Command, EditOrder, OpenAccount } from "../../state/command.ts";
import type { Direction, LegRequest, PendingOrder, TrailingDistance } from "../../state/order.ts";
import type { PayoutId } from "../../state/payout.ts";
import type { ProTerms, Terms } from "../../state/terms.ts";
import { microUsd, type Price, price, ratio } from "../../units.ts";
import type { LifeMarket } from "./life-market.ts";
import type { EditStep, EntryStep, LegStep, LifeStep, OfferStep, PayStep } from "./life-steps.ts";

/** The account and market in which a step is carried out. */
export interface StepCircumstances {
  readonly state: AccountState;
  readonly market: LifeMarket;
  /** The id of the order that the step may place. */
  readonly uuid: OrderUuid;
  /** The ids of all payouts of the account, including paid ones. */
  readonly payoutIds: readonly PayoutId[];
}

/** The command that opens the account of a life. */
export function openLifeCommand(terms: Terms, provisioned: boolean): OpenAccount {
  const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
  return { type: "openAccount", ...ids, terms, provisioned };
}

/** The command of a step; null for a step that only changes the clock or the quotes. */
export function commandOf(step: LifeStep, scene: StepCircumstances): Command | null {
  const { state, uuid } = scene;
  switch (step.do) {
    case "quote":
    case "favour":
    case "settle":
      return { type: "settlePrices" };
    case "time":
      return step.isSilent ? null : { type: "passTime" };
    case "loseQuote":
    case "loseAllQuotes":
    case "restoreQuotes":
      return null;
    case "market":
    case "limit":
    case "stopLimit":
      return entryOf(step, scene);
    case "bracket":
      return bracketOf(step, scene);
    case "edit":
      return editOf(step, scene);
    case "cancel":
      return cancelOf(step, scene);
    case "flatten":
      return flattenOf(step, scene);
    case "flat": {
      const pair = step.pair === null ? openPair(state, step.pick) : scene.market.pairAt(step.pair);
      return { type: "closePair", orderUuid: uuid, pair: pair ?? scene.market.pairAt(step.pick) };
    }
    case "switch": {
      const { seconds, action } = step;
      return { type: "cancelAllAfter", afterMs: seconds === 0 ? null : seconds * 1_000, action };
    }
    case "promote":
      return { type: "promote" };
    case "offerPro":
      return { type: "offerPro", terms: offeredTerms(step, state) };
    case "eliminate":
      return { type: "eliminateAccount", reason: "OPERATOR" };
    case "close":
      return { type: "closeAccount", ...(step.forfeits ? { forfeit: true } : {}) };
    case "provision":
      return { type: "provisionAccount" };
    case "openAgain":
      return openLifeCommand(state.terms, true);
    case "pay":
      return payOf(step, scene);
  }
}

function offeredTerms({ terms, multiple }: OfferStep, { standardSize }: AccountState): ProTerms {
  return { ...terms, size: microUsd(Math.round(multiple * standardSize)) };
}

function entryOf(step: EntryStep, { state, market, uuid }: StepCircumstances): Command {
  const open = step.isExit ? at(state.positions, step.pair) : undefined;
  const pair = open?.pair ?? market.pairAt(step.pair);
  const direction = open === undefined ? step.direction : opposite(open.direction);
  const { size } = step;
  const limitPrice = price(market.bid(pair) * (1 + step.at));
  const entry = step.do === "market" ? market.bid(pair) : limitPrice;
  // Most exits have no legs, because legs on an exit are refused.
  const drawn = open === undefined || step.legs.length > 2 ? step.legs : [];
  const legs = drawn.map((leg) => legOf(leg, entry, direction));
  const isExit = open !== undefined && step.reduceOnly === "exits";
  // A market order that may only reduce is placed only as an exit, because refused market orders make positions rarer
  // in the lives.
  const reduceOnly = isExit || (step.reduceOnly === "always" && step.do !== "market");
  const order = { orderUuid: uuid, pair, direction, size, legs, reduceOnly };
  if (step.do === "market") return { type: "placeMarket", ...order };
  const limit = { ...order, limitPrice };
  if (step.do === "limit") return { type: "placeLimit", ...limit };
  return { type: "placeStopLimit", ...limit, ...stopAt(limitPrice, direction) };
}

function opposite(direction: Direction): Direction {
  return direction === "long" ? "short" : "long";
}

function stopAt(at: Price, direction: Direction) {
  const stopCondition = direction === "long" ? ("gte" as const) : ("lte" as const);
  return { stopPrice: at, stopCondition };
}

function legOf(step: LegStep, entry: number, direction: Direction): LegRequest {
  const sign = direction === "long" ? 1 : -1;
  const { stop, target, size } = step;
  return {
    stopLoss: stop === null ? null : price(entry * (1 - sign * stop)),
    takeProfit: target === null ? null : price(entry * (1 + sign * target)),
    trailing: trailingOf(step, entry),
    size,
  };
}

function trailingOf({ trail }: LegStep, entry: number): TrailingDistance | null {
  if (trail === null) return null;
  return trail.kind === "percent"
    ? { kind: "percent", ratio: ratio(trail.share) }
    : { kind: "value", value: entry * trail.share };
}

function bracketOf(
  step: Extract<LifeStep, { readonly do: "bracket" }>,
  scene: StepCircumstances,
): Command {
  const { state, market, uuid } = scene;
  const open = at(state.positions, step.pick);
  const pair = open?.pair ?? market.pairAt(step.pick);
  const legs = step.legs.map((leg) => legOf(leg, market.bid(pair), open?.direction ?? "long"));
  return { type: "placeBracket", orderUuid: uuid, pair, legs };
}

function editOf(step: EditStep, scene: StepCircumstances): Command {
  const order = at(scene.state.orders, step.pick);
  const isUnknown = order === undefined || step.mistake === "id";
  const uuid = isUnknown ? scene.uuid : order.uuid;
  const own = order?.pair ?? scene.market.tradedAt(step.pick);
  const pair = step.mistake === "pair" ? otherPair(scene.market, own) : own;
  const kind = order?.kind ?? "limit";
  const edited = { kind, uuid, pair, direction: order?.direction ?? "long" };
  const replacement = replacementOf(step, edited, scene);
  return { type: "editOrder", replacement: replacementWithKept(step, replacement, order) };
}

/** The replacement of an order. The fields that the step keeps have the order's values. */
function replacementWithKept(
  { keeps }: EditStep,
  drawn: EditOrder["replacement"],
  order: PendingOrder | undefined,
): EditOrder["replacement"] {
  if (drawn.type === "editLeg") {
    if (order?.kind !== "bracket") return drawn;
    const { stopLoss, takeProfit, trailing, size } = order;
    const leg = {
      ...drawn.leg,
      ...(keeps.includes("price") ? { stopLoss, takeProfit } : {}),
      ...(keeps.includes("trail") ? { trailing } : {}),
      ...(keeps.includes("size") ? { size } : {}),
    };
    return { ...drawn, leg };
  }
  if (order === undefined || order.kind === "bracket") return drawn;
  const { limitPrice, size, legs, reduceOnly } = order;
  const kept = {
    ...(keeps.includes("price") ? { limitPrice } : {}),
    ...(keeps.includes("size") ? { size } : {}),
    ...(keeps.includes("legs") ? { legs, reduceOnly } : {}),
  };
  return { ...drawn, ...kept };
}

type Edited = Pick<PendingOrder, "kind" | "uuid" | "pair" | "direction">;

function replacementOf(
  step: EditStep,
  order: Edited,
  scene: StepCircumstances,
): EditOrder["replacement"] {
  const { pair, direction, uuid } = order;
  const bid = scene.market.bid(pair);
  const isLeg = order.kind === "bracket";
  if (isLeg !== (step.mistake === "kind")) {
    return { type: "editLeg", orderUuid: uuid, pair, leg: legOf(step.leg, bid, direction) };
  }
  const limitPrice = price(bid * (1 + step.at));
  const legs = [legOf(step.leg, limitPrice, direction)];
  const entry = {
    orderUuid: uuid,
    pair,
    direction,
    size: step.size,
    limitPrice,
    legs,
    reduceOnly: false,
  };
  return order.kind === "stopLimit"
    ? { type: "placeStopLimit", ...entry, ...stopAt(limitPrice, direction) }
    : { type: "placeLimit", ...entry };
}

function cancelOf(
  step: Extract<LifeStep, { readonly do: "cancel" }>,
  scene: StepCircumstances,
): Command {
  const { state, market, uuid } = scene;
  const one = at(state.orders, step.pick);
  switch (step.target) {
    case "all":
      return { type: "cancelOrders", target: "all", pair: null };
    case "pair":
      return { type: "cancelOrders", target: "all", pair: one?.pair ?? market.pairAt(step.pick) };
    case "one":
      return { type: "cancelOrders", target: one === undefined ? "all" : [one.uuid], pair: null };
    case "list":
      return {
        type: "cancelOrders",
        target: one === undefined ? [uuid] : [one.uuid, uuid],
        pair: null,
      };
    case "unknown":
      return { type: "cancelOrders", target: [uuid], pair: null };
  }
}

function flattenOf(
  step: Extract<LifeStep, { readonly do: "flatten" }>,
  { state, market }: StepCircumstances,
): Command {
  const one = at(state.positions, step.pick);
  const gone = positionUuid("unknown");
  const all = { type: "flatten", target: "all", pair: null } as const;
  switch (step.target) {
    case "all":
      return all;
    case "pair":
      return { ...all, pair: one?.pair ?? market.tradedAt(step.pick) };
    case "one":
      return one === undefined ? all : { ...all, target: [one.uuid] };
    case "list":
      return { ...all, target: one === undefined ? [gone] : [one.uuid, gone] };
    case "unknown":
      return { ...all, target: [gone] };
  }
}

function payOf(step: PayStep, { payoutIds }: StepCircumstances): Command {
  const { status, rail, reference } = step;
  const payoutId = at(payoutIds, step.pick) ?? ("po_unknown" as PayoutId);
  return {
    type: "recordPayout",
    payoutId,
    status,
    rail,
    provider: rail,
    reference,
    paidAmount: null,
  };
}

function openPair(state: AccountState, pick: number): PairId | undefined {
  return at(state.positions, pick)?.pair;
}

function otherPair(market: LifeMarket, own: PairId): PairId {
  return market.tradedAt(0) === own ? market.tradedAt(1) : market.tradedAt(0);
}

function at<One>(list: readonly One[], pick: number): One | undefined {
  return list.length === 0 ? undefined : list[pick % list.length];
}

/** The id of the order that this step of a life may place. Steps are counted from the opening of the account. */
export function orderIdOfStep(index: number): OrderUuid {
  return orderUuid(`o${index}`);
}
