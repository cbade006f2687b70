/**
 * Checks in tests that orders follow their table of transitions, that legs belong to open positions, and that entries
 * are within the caps.
 */
import type { AccountState } from "../../state/account.ts";
import type { Event, OrderFilled } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { expectSame, expectThat } from "./expectation.ts";
import { ORDER_TRANSITIONS, type OrderStatus } from "./order-transitions.ts";
import { instrumentOf, positionWorth } from "./valuation-model.ts";

/** Follows the statuses of one account's orders, and compares its events with `ORDER_TRANSITIONS`. */
export class OrderModel {
  readonly #statuses = new Map<string, OrderStatus>();
  readonly #pending = new Set<string>();

  /** Checks an event and applies it. Without `before` the caps are not checked. */
  take({ event, before, moment }: Pick<AppliedEvent, "event" | "before" | "moment">): void {
    for (const uuid of ordersOf(event)) {
      const from = this.#statuses.get(uuid) ?? "new";
      const move = ORDER_TRANSITIONS.find((row) => row.from === from && row.by === event.type);
      expectThat(move !== undefined, `${event.type} is possible for ${uuid}, which is ${from}`);
      this.#statuses.set(uuid, move.to);
      if (move.to === "pending") this.#pending.add(uuid);
      else this.#pending.delete(uuid);
    }
    if (event.type === "orderFilled" && before !== null) checkCaps(event, before, moment);
  }

  check({ orders, positions }: AccountState): void {
    expectSame(orders.length, this.#pending.size, "the number of pending orders");
    expectThat(
      orders.every(({ uuid }) => this.#pending.has(uuid)),
      "every order of the account is pending",
    );
    const held = new Set(positions.map(({ uuid }) => uuid));
    expectSame(
      new Set(positions.map(({ pair }) => pair)).size,
      held.size,
      "the number of pairs with a position",
    );
    for (const order of orders) {
      if (order.kind !== "bracket") continue;
      expectThat(held.has(order.positionUuid), "a leg belongs to an open position");
    }
  }
}

function ordersOf(event: Event): readonly string[] {
  if ("orderUuid" in event) return [event.orderUuid];
  if ("order" in event) return [event.order.uuid];
  return event.type === "legsAttached" ? event.legs.map(({ uuid }) => uuid) : [];
}

type Side = Pick<OrderFilled, "pair" | "direction">;

/** Whether a position buys the group: a long of EURUSD buys EUR, a short of it buys USD. */
function buysGroup(group: string, { pair, direction }: Side, moment: Moment): boolean {
  const { quote } = instrumentOf(pair, moment);
  return (direction === "long") !== (group === `currency:${quote}`);
}

/** Checks that a fill that opens or adds keeps every exposure within its cap, at the balance before the fee. */
function checkCaps(fill: OrderFilled, state: AccountState, moment: Moment): void {
  if (fill.effect === "reduce" || fill.effect === "close") return;
  const { terms } = state;
  const instrument = instrumentOf(fill.pair, moment);
  const balance = terms.size + state.realized - state.fees;
  const groups = instrument.exposureGroups.map((group) => ({
    cap: terms.groupCaps[group.split(":")[0] ?? group] ?? Number.POSITIVE_INFINITY,
    covers: ({ pair, direction }: Side) =>
      instrumentOf(pair, moment).exposureGroups.includes(group) &&
      buysGroup(group, { pair, direction }, moment) === buysGroup(group, fill, moment),
  }));
  const caps = [
    { cap: instrument.leverageCaps[terms.tier], covers: ({ pair }: Side) => pair === fill.pair },
    {
      cap: terms.classCaps[instrument.assetClass],
      covers: ({ pair }: Side) => instrumentOf(pair, moment).assetClass === instrument.assetClass,
    },
    ...groups,
    { cap: terms.portfolioCap, covers: () => true },
  ];
  for (const { cap, covers } of caps) {
    const held = state.positions
      .filter(covers)
      // A position without a price counts with its value at entry.
      .map((position) => positionWorth(position, moment)?.value ?? position.entryValue)
      .reduce((sum: number, value) => sum + value, 0);
    // Sizes have twelve digits before the grid, and the value is rounded once more.
    const noise = 1 + fill.value * 5e-12;
    expectThat(
      held + fill.value <= cap * balance + noise,
      `a fill of ${fill.pair} is within the cap ${cap}`,
    );
  }
}
