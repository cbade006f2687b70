/**
 * Checks in tests that the dead man's switch fires only once, at the first work after its deadline, and carries out its
 * action.
 */
import type { AccountState } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event, OrderFilled } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import { fillPriceOf, tradablePairOf } from "../reference/reference-prices.ts";
import { SLIPPAGE_MAX } from "../reference/reference-sides.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { expectSame, expectThat } from "./expectation.ts";

interface Armed {
  readonly atMs: number;
  readonly action: "cancel" | "flatten";
}

const ENDS: ReadonlySet<Event["type"]> = new Set(["accountEliminated", "accountClosed"]);

/** Follows the dead man's switch of one account, and compares the account and its events with it. */
export class SwitchModel {
  #armed: Armed | null = null;
  /** Whether the switch has fired within the command in progress. */
  #hasFired = false;
  readonly #closing = new Set<string>();

  take({ event, before, moment }: AppliedEvent, command: Command): void {
    if (event.type === "switchArmed") this.#arm(event, command);
    if (event.type === "switchSuspended") this.#armed = null;
    if (event.type === "switchEnded") {
      expectSame(command.type, "cancelAllAfter", "the command that ends a switch");
      this.#armed = null;
      this.#closing.clear();
    }
    if (event.type === "switchFired") this.#fire(event, { before, moment });
    if (event.type === "orderFilled" && event.kind === "switch") this.#close(event, moment);
    if (event.type === "orderCancelled" && event.reason === "switch") {
      expectThat(this.#hasFired, "only a fired switch cancels");
    }
    if (event.type === "positionClosed") this.#closing.delete(event.trade.id);
    if (ENDS.has(event.type)) this.#armed = null;
  }

  #arm({ deadlineMs, action, atMs }: Extract<Event, { type: "switchArmed" }>, command: Command) {
    expectThat(command.type === "cancelAllAfter", "the trader arms the switch");
    expectSame(deadlineMs, atMs + (command.afterMs ?? Number.NaN), "the deadline of a switch");
    const before = this.#armed;
    if (before !== null && before.action === action && before.atMs <= deadlineMs) {
      expectThat(
        deadlineMs - before.atMs >= (deadlineMs - atMs) / 10,
        "a small renewal writes nothing",
      );
    }
    this.#armed = { atMs: deadlineMs, action };
  }

  #close({ positionUuid, pair, direction, price, effect }: OrderFilled, moment: Moment): void {
    expectThat(this.#closing.has(positionUuid), "a switch closes only what it is to close");
    expectSame(effect, "close", "the effect of a switch on a position");
    const trading = tradablePairOf(pair, moment);
    expectThat(trading !== null, "a switch closes at a live quote");
    const quoted = fillPriceOf(direction, trading.quote);
    expectThat(
      Math.abs(price - quoted) <= quoted * SLIPPAGE_MAX * 1.05,
      "a switch closes at the market",
    );
  }

  #fire(
    { dueMs, action, waiting }: Extract<Event, { type: "switchFired" }>,
    { before, moment }: Pick<AppliedEvent, "before" | "moment">,
  ): void {
    const armed = this.#armed;
    expectThat(armed !== null, "only an armed switch fires, and it fires once");
    expectSame(dueMs, armed.atMs, "the deadline of a fired switch");
    expectThat(dueMs <= moment.now, "a switch does not fire early");
    expectSame(action, armed.action, "the action of a fired switch");
    for (const { pair } of waiting)
      expectThat(tradablePairOf(pair, moment) === null, "a live market is not awaited");
    for (const { uuid } of action === "flatten" ? (before?.positions ?? []) : []) {
      this.#closing.add(uuid);
    }
    this.#armed = null;
    this.#hasFired = true;
  }

  /**
   * Compares the switch of the account with the model. Call this after a command that does due work.
   * @throws when the switch is late or has left something undone
   */
  check(state: AccountState, command: Command, moment: Moment): void {
    const { armedSwitch, closing = [] } = state;
    expectSame(armedSwitch?.atMs ?? null, this.#armed?.atMs ?? null, "the deadline of the account");
    expectThat(
      this.#armed === null || this.#armed.atMs > moment.now,
      "a switch fires at its deadline",
    );
    if (this.#hasFired && command.type === "passTime") {
      expectSame(state.orders.length, 0, "the orders after a switch fired");
    }
    const open = state.positions.filter(({ uuid }) => this.#closing.has(uuid));
    expectSame(
      closing.toSorted().join(),
      open
        .map(({ uuid }) => uuid)
        .toSorted()
        .join(),
      "the positions that a switch still closes",
    );
    if (command.type === "settlePrices" && state.status === "active") {
      for (const { pair } of open) {
        expectThat(
          tradablePairOf(pair, moment) === null,
          "a settlement closes what a switch left and is live",
        );
      }
    }
    this.#hasFired = false;
  }
}
