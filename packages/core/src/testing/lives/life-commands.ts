/** A step becomes a command for the account as it is. */
import type { AccountState } from "../../account/account.ts";
import {
  accountId,
  type OrderUuid,
  orderUuid,
  ownerId,
  type PairId,
  positionUuid,
} from "../../ids.ts";
import type { Command, EditOrder, OpenAccount } from "../../network/command.ts";
import type { Direction, LegRequest, RestingOrder, Trailing } from "../../orders/order.ts";
import type { PayoutId } from "../../payouts/payout.ts";
import type { Terms } from "../../rules/terms.ts";
import { type Price, price, ratio } from "../../units.ts";
import type { LifeMarket } from "./life-market.ts";
import type { EditStep, EntryStep, LegStep, PayStep, Step } from "./life-steps.ts";

export interface Scene {
  readonly state: AccountState;
  readonly market: LifeMarket;
  /** For the order that the step may place. */
  readonly uuid: OrderUuid;
  /** Every payout the account ever had. */
  readonly payoutIds: readonly PayoutId[];
}

export function openLife(terms: Terms, provisioned: boolean): OpenAccount {
  const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
  return { type: "openAccount", ...ids, terms, provisioned };
}

/** Null for a step that only moves the world. */
export function commandOf(step: Step, scene: Scene): Command | null {
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
      return flattenOf(step, state);
    case "flat": {
      const pair = step.pair === null ? openPair(state, step.pick) : scene.market.pairAt(step.pair);
      return { type: "closePair", orderUuid: uuid, pair: pair ?? scene.market.pairAt(step.pick) };
    }
    case "promote":
      return { type: "promote" };
    case "offerPro":
      return { type: "offerPro", terms: step.terms };
    case "eliminate":
      return { type: "eliminateAccount", reason: "TOLD SO" };
    case "close":
      return { type: "closeAccount" };
    case "provision":
      return { type: "provisionAccount" };
    case "openAgain":
      return openLife(state.terms, true);
    case "pay":
      return payOf(step, scene);
  }
}

function entryOf(step: EntryStep, { market, uuid }: Scene): Command {
  const pair = market.pairAt(step.pair);
  const { direction, size } = step;
  const at = price(market.bid(pair) * (1 + step.at));
  const entry = step.do === "market" ? market.bid(pair) : at;
  const legs = step.legs.map((leg) => legOf(leg, entry, direction));
  const order = { orderUuid: uuid, pair, direction, size, legs };
  if (step.do === "market") return { type: "placeMarket", ...order };
  if (step.do === "limit") return { type: "placeLimit", ...order, limitPrice: at };
  return { type: "placeStopLimit", ...order, limitPrice: at, ...stopAt(at, direction) };
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

function trailingOf({ trail }: LegStep, entry: number): Trailing | null {
  if (trail === null) return null;
  return trail.kind === "percent"
    ? { kind: "percent", ratio: ratio(trail.share) }
    : { kind: "value", value: entry * trail.share };
}

function bracketOf(step: Extract<Step, { readonly do: "bracket" }>, scene: Scene): Command {
  const { state, market, uuid } = scene;
  const open = at(state.positions, step.pick);
  const pair = open?.pair ?? market.pairAt(step.pick);
  const legs = step.legs.map((leg) => legOf(leg, market.bid(pair), open?.direction ?? "long"));
  return { type: "placeBracket", orderUuid: uuid, pair, legs };
}

function editOf(step: EditStep, scene: Scene): Command {
  const order = at(scene.state.orders, step.pick);
  const isUnknown = order === undefined || step.mistake === "id";
  const uuid = isUnknown ? scene.uuid : order.uuid;
  const own = order?.pair ?? scene.market.tradedAt(step.pick);
  const pair = step.mistake === "pair" ? otherPair(scene.market, own) : own;
  const kind = order?.kind ?? "limit";
  const replacement = replacementOf(
    step,
    { kind, uuid, pair, direction: order?.direction ?? "long" },
    scene,
  );
  return { type: "editOrder", replacement };
}

type Edited = Pick<RestingOrder, "kind" | "uuid" | "pair" | "direction">;

function replacementOf(step: EditStep, order: Edited, scene: Scene): EditOrder["replacement"] {
  const { pair, direction, uuid } = order;
  const bid = scene.market.bid(pair);
  const isLeg = order.kind === "bracket";
  if (isLeg !== (step.mistake === "kind")) {
    return { type: "editLeg", orderUuid: uuid, pair, leg: legOf(step.leg, bid, direction) };
  }
  const limitPrice = price(bid * (1 + step.at));
  const legs = [legOf(step.leg, limitPrice, direction)];
  const entry = { orderUuid: uuid, pair, direction, size: step.size, limitPrice, legs };
  return order.kind === "stopLimit"
    ? { type: "placeStopLimit", ...entry, ...stopAt(limitPrice, direction) }
    : { type: "placeLimit", ...entry };
}

function cancelOf(step: Extract<Step, { readonly do: "cancel" }>, scene: Scene): Command {
  const { state, market, uuid } = scene;
  const one = at(state.orders, step.pick);
  switch (step.target) {
    case "all":
      return { type: "cancelOrders", target: "all", pair: null };
    case "pair":
      return { type: "cancelOrders", target: "all", pair: one?.pair ?? market.pairAt(step.pick) };
    case "one":
      return { type: "cancelOrders", target: one === undefined ? "all" : [one.uuid], pair: null };
    case "unknown":
      return {
        type: "cancelOrders",
        target: one === undefined ? [uuid] : [one.uuid, uuid],
        pair: null,
      };
  }
}

function flattenOf(step: Extract<Step, { readonly do: "flatten" }>, state: AccountState): Command {
  const one = at(state.positions, step.pick);
  if (step.target === "all" || (step.target === "one" && one === undefined)) {
    return { type: "flatten", target: "all" };
  }
  const known = one === undefined ? [] : [one.uuid];
  const target = step.target === "one" ? known : [...known, positionUuid("nobody's")];
  return { type: "flatten", target };
}

function payOf(step: PayStep, { payoutIds }: Scene): Command {
  const { status, rail, reference } = step;
  const payoutId = at(payoutIds, step.pick) ?? ("po_nobody's" as PayoutId);
  return { type: "recordPayout", payoutId, status, rail, provider: rail, reference };
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

/** A number of its own for every order of a life. */
export function nthOrder(index: number): OrderUuid {
  return orderUuid(`o${index}`);
}
