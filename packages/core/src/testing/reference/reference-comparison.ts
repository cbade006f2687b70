/** Compares the account with the reference book. */
import type { AccountState } from "../../state/account.ts";
import type { BracketLeg, EntryOrder, PendingOrder } from "../../state/order.ts";
import { expectSame, expectThat } from "../lives/expectation.ts";
import type {
  PendingEntry,
  PendingLeg,
  ReferenceBook,
  ReferencePendingOrder,
} from "./reference-book.ts";

/**
 * Compares the open positions by pair and the pending orders in their order, and checks the limit on the number of
 * pending orders.
 * @throws at the first difference
 */
export function compareWithBook(state: AccountState, book: ReferenceBook): void {
  expectSame(state.positions.length, book.positions.size, "the number of open positions");
  for (const { uuid, pair, direction, quantity } of state.positions) {
    const held = book.positions.get(pair);
    expectSame(uuid, held?.uuid, `the position on ${pair}`);
    expectSame(direction, held?.direction, `the direction of the position on ${pair}`);
    expectSame(quantity, held?.open, `the quantity of the position on ${pair}`);
  }
  const uuids = [...book.pending.keys()].join();
  expectSame(
    state.orders.map(({ uuid }) => uuid).join(),
    uuids,
    "the pending orders, oldest first",
  );
  for (const order of state.orders) {
    const pending = book.pending.get(order.uuid);
    if (pending !== undefined) compareOrder(order, pending);
  }
  expectThat(
    book.count <= state.terms.mostRestingOrders,
    `${book.count} orders and legs of at most ${state.terms.mostRestingOrders}`,
  );
}

function compareOrder(order: PendingOrder, pending: ReferencePendingOrder): void {
  if (pending.what === "entry") {
    expectThat(order.kind !== "bracket", `${order.uuid} is an entry`);
    sameFields(order.uuid, referenceEntryOf(order), pending);
    return;
  }
  expectThat(order.kind === "bracket", `${order.uuid} is a leg`);
  sameFields(order.uuid, legFields(order), { ...pending, whole: undefined });
  const { shareOf, uuid } = order;
  const isNear = Math.abs(shareOf - pending.whole.lots) <= pending.whole.slack + 0.5;
  expectThat(isNear, `${uuid} is a share of ${pending.whole.lots}, not of ${shareOf}`);
}

/** A pending entry of the account in the form of the reference. */
export function referenceEntryOf(order: EntryOrder): PendingEntry {
  return {
    what: "entry",
    uuid: order.uuid,
    pair: order.pair,
    direction: order.direction,
    size: order.size,
    limitPrice: order.limitPrice,
    stop:
      order.kind === "limit" ? null : { price: order.stopPrice, condition: order.stopCondition },
    legs: order.legs,
    isReduceOnly: order.reduceOnly,
  };
}

function legFields(leg: BracketLeg): Omit<PendingLeg, "whole"> {
  const { stopLoss, takeProfit, trailing, size } = leg;
  return {
    what: "leg",
    uuid: leg.uuid,
    positionUuid: leg.positionUuid,
    pair: leg.pair,
    direction: leg.direction,
    request: { stopLoss, takeProfit, trailing, size },
    best: leg.bestPrice,
  };
}

function sameFields(uuid: string, actual: object, expected: object): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = Object.entries(actual).find(([one]) => one === name)?.[1];
    expectSame(comparableText(found), comparableText(value), `${name} of ${uuid}`);
  }
}

/** A text that is the same for equal values, in any order of their fields. */
function comparableText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "none";
  if (Array.isArray(value)) return `[${value.map(comparableText).join()}]`;
  const fields = Object.entries(value).map(([name, field]) => `${name}:${comparableText(field)}`);
  return `{${fields.sort().join()}}`;
}
