/**
 * A second, literal implementation of orders, legs, edits and quotes for tests. It follows every command and its
 * events. It throws at the first event that the rules do not require, at the first required event that is missing, and
 * at a refusal without a reason.
 */
import type { AccountState } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event, OrderFilled, OrderRejected } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { BracketLeg, LegRequest } from "../../state/order.ts";
import type { Refusal } from "../../state/refusal.ts";
import type { AppliedEvent } from "../lives/applied-event.ts";
import { expectSame, expectThat } from "../lives/expectation.ts";
import { type HeldPosition, type PendingLeg, ReferenceBook } from "./reference-book.ts";
import {
  ordersToCancel,
  positionsToFlatten,
  type ReferenceCircumstances,
} from "./reference-circumstances.ts";
import { compareWithBook, referenceEntryOf } from "./reference-comparison.ts";
import { findTriggeredStopLimits, nextEffect, type QuoteEffect } from "./reference-effects.ts";
import { ReferenceFills, type RequestedFill, requestedExitOf } from "./reference-fills.ts";
import { applyLegEdit, createReferenceLeg, entryOfCommand } from "./reference-legs.ts";
import { CommandObjections, JUDGED_REFUSALS } from "./reference-objections.ts";
import {
  bestPriceAfter,
  fillPriceOf,
  type TradablePair,
  tradablePairOf,
} from "./reference-prices.ts";
import { expectRejected } from "./reference-rejections.ts";
import { SLIPPAGE_MAX } from "./reference-sides.ts";

/** The fills at the end of an account or phase, or by a switch. Other models check whether they were due. */
const FORCED_FILLS: ReadonlySet<OrderFilled["kind"]> = new Set([
  "elimination",
  "phaseEnd",
  "switch",
]);
const FORCED_CANCELS: ReadonlySet<string> = new Set([
  "accountEnded",
  "phaseEnded",
  "proTransition",
  "switch",
]);

/** Follows the commands and events of one account. */
export class OrderReference {
  readonly #book = new ReferenceBook();
  readonly #fills = new ReferenceFills(this.#book);
  #account: AccountState | null = null;
  #command: Command = { type: "passTime" };
  #moment: Moment | null = null;
  #hasBegun = false;
  /** The uuids whose cancellation an earlier event requires, and that were not cancelled yet. */
  #dueCancels = new Set<string>();
  #dueLegs: readonly PendingLeg[] = [];
  /** The ids that the command still has to close, cancel or change. */
  #dueCloses = new Set<string>();

  begin(command: Command, moment: Moment): void {
    this.#command = command;
    this.#moment = moment;
    this.#hasBegun = false;
  }

  /** Checks an event and applies it. All events are passed in their order. */
  take({ event, before, after, moment }: AppliedEvent): void {
    this.#account = before ?? after;
    this.#moment = moment;
    this.#takeEvent(event);
    this.#account = after;
  }

  /**
   * To be called after the last event of a command.
   * @throws when a required event is missing
   */
  end(state: AccountState): void {
    this.#account = state;
    if (state.status === "active") this.#beginOnce();
    expectSame([...this.#dueCancels].join(), "", "the missing cancellations");
    expectSame(this.#dueLegs.length, 0, "the number of missing legs");
    expectSame(
      [...this.#dueCloses].join(),
      "",
      "the ids that were not closed, cancelled or changed",
    );
    if (this.#command.type === "settlePrices") this.#expectSettled();
    compareWithBook(state, this.#book);
  }

  /**
   * Checks a refusal whose code is in `JUDGED_REFUSALS`. With `hasDueWork` it cannot be checked, because due work ran
   * before the command and a refusal does not show the effects of this work.
   */
  checkRefusal(state: AccountState, refusal: Refusal, hasDueWork: boolean): void {
    this.#account = state;
    if (hasDueWork || !JUDGED_REFUSALS.has(refusal.code)) return;
    const { must, may } = new CommandObjections(this.#command, this.#now());
    const isJustified = must.has(refusal.code) || may.has(refusal.code);
    expectThat(isJustified, `${this.#command.type} has a reason for the refusal ${refusal.code}`);
  }

  #takeEvent(event: Event): void {
    switch (event.type) {
      case "orderFilled":
        if (FORCED_FILLS.has(event.kind) || this.#command.type === "closeAccount") {
          this.#closeWhole(event);
        } else {
          this.#beginOnce();
          this.#takeFill(event);
        }
        break;
      case "orderCancelled":
        this.#takeCancel(event.orderUuid, event.reason);
        break;
      case "orderRejected":
        this.#beginOnce();
        this.#takeRejection(event);
        break;
      case "orderPlaced": {
        this.#beginOnce();
        const placed = referenceEntryOf(event.order);
        const expected = this.#placedEntry();
        expectSame(JSON.stringify(placed), JSON.stringify(expected), "the placed order");
        this.#dueCloses.delete(placed.uuid);
        this.#book.pending.set(placed.uuid, placed);
        break;
      }
      case "orderEdited":
        this.#beginOnce();
        this.#dueCloses.delete(event.order.uuid);
        // The edit ends the hold of an order that has no `heldAt` afterwards: without a position to reduce, the order
        // is not an exit any more.
        if (!("heldAt" in event.order)) this.#book.heldAt.delete(event.order.uuid);
        break;
      case "legsAttached":
        this.#beginOnce();
        this.#takeLegs(event.legs);
        break;
      case "stopTriggered":
        this.#beginOnce();
        this.#takeStop(event.orderUuid);
        break;
      case "orderHeld": {
        const quote = this.#book.heldAt.get(event.orderUuid);
        expectSame(event.quote.atMs, quote?.atMs, `the quote at which ${event.orderUuid} is held`);
        break;
      }
      case "trailMoved": {
        // A best price from before the command is recorded before the first event that requires it, which may belong to
        // due work.
        if (event.bestPrice !== this.#bestOf(event.orderUuid)) this.#beginOnce();
        expectSame(event.bestPrice, this.#bestOf(event.orderUuid), "the best price of a leg");
        break;
      }
      case "accountClosed":
      case "accountEliminated":
      case "accountOpened":
      case "accountProvisioned":
      case "carryCharged":
      case "challengePassed":
      case "cycleClosed":
      case "dayEnded":
      case "deferralForfeited":
      case "dividendPaid":
      case "drawdownDeepened":
      case "limitNeared":
      case "payoutRecorded":
      case "positionClosed":
      case "proOffered":
      case "proPromoted":
      case "proStarted":
      case "sharesSplit":
      case "softBreached":
      case "switchArmed":
      case "switchSuspended":
      case "switchEnded":
      case "switchFired":
        break;
    }
  }

  /**
   * Begins the command itself, after its due work: checks that it need not be refused, and stores what it has to do.
   */
  #beginOnce(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const at = this.#now();
    const command = this.#command;
    const { must } = new CommandObjections(command, at);
    expectSame([...must].join(), "", `the reasons to refuse ${command.type}`);
    this.#dueCloses = new Set();
    if (command.type === "settlePrices") this.#moveTrails();
    if ("orderUuid" in command && command.type !== "placeBracket") {
      this.#dueCloses.add(command.orderUuid);
    }
    if (command.type === "cancelOrders") {
      this.#dueCloses = new Set(ordersToCancel(command, this.#book) ?? []);
    }
    if (command.type === "flatten") {
      this.#dueCloses = new Set(positionsToFlatten(command, at).closing.map(({ uuid }) => uuid));
    }
    if (command.type === "placeBracket") {
      const held = this.#heldOn(command.pair);
      this.#dueLegs = this.#legsFor(command.orderUuid, command.legs, held);
    }
    if (command.type === "editOrder") this.#edit(command.replacement);
  }

  #edit(replacement: Extract<Command, { readonly type: "editOrder" }>["replacement"]): void {
    const old = this.#book.pending.get(replacement.orderUuid);
    expectThat(old !== undefined, "an edit changes a pending order");
    this.#dueCloses.add(old.uuid);
    if (replacement.type !== "editLeg") {
      this.#book.pending.set(old.uuid, entryOfCommand(replacement));
      return;
    }
    expectThat(old.what === "leg", "editLeg changes a leg");
    const held = this.#heldOn(old.pair);
    const edited = applyLegEdit(old, replacement.leg, { held, moment: this.#presentMoment() });
    this.#book.pending.set(old.uuid, edited);
  }

  #placedEntry() {
    const command = this.#command;
    expectThat(
      command.type === "placeLimit" || command.type === "placeStopLimit",
      `${command.type} does not place an order`,
    );
    return entryOfCommand(command);
  }

  #takeCancel(uuid: string, reason: string): void {
    if (reason === "positionClosed") {
      expectThat(this.#dueCancels.delete(uuid), `${uuid} ends with its position`);
      return;
    }
    if (reason === "roundedAway") {
      this.#takeRoundedAway(uuid);
      return;
    }
    if (FORCED_CANCELS.has(reason)) {
      expectThat(this.#book.pending.delete(uuid), `${uuid} was pending`);
      return;
    }
    this.#beginOnce();
    expectSame(
      this.#command.type,
      "cancelOrders",
      `the command that cancels ${uuid} for ${reason}`,
    );
    expectThat(this.#dueCloses.delete(uuid), `the command cancels ${uuid}`);
    this.#book.pending.delete(uuid);
  }

  /**
   * Checks a leg that was rounded away: the rounded sum of the shares so far was already closed without it.
   * @rule D12.ladder
   */
  #takeRoundedAway(uuid: string): void {
    this.#beginOnce();
    const { effect, trading } = this.#dueEffect(uuid);
    const { sizes } = requestedExitOf(effect, trading, this.#now());
    expectThat(effect.by !== "limit" && sizes.min <= 0, `${uuid} has nothing to close`);
    this.#book.removeActedLeg(effect.order, 0);
  }

  #takeLegs(legs: readonly BracketLeg[]): void {
    expectSame(
      legs.map(({ uuid }) => uuid).join(),
      this.#dueLegs.map(({ uuid }) => uuid).join(),
      "the attached legs",
    );
    for (const leg of this.#dueLegs) this.#book.pending.set(leg.uuid, leg);
    this.#dueLegs = [];
  }

  #takeStop(uuid: string): void {
    expectSame(this.#command.type, "settlePrices", "the command that triggers a stop");
    const entry = this.#book.pending.get(uuid);
    expectThat(entry?.what === "entry" && entry.stop !== null, `${uuid} is a stop-limit`);
    const trading = this.#tradingOn(entry.pair);
    const isTriggered = findTriggeredStopLimits(this.#book, trading).some(
      (one) => one.uuid === uuid,
    );
    expectThat(isTriggered, `the quote triggers the stop of ${uuid}`);
    this.#book.pending.set(uuid, { ...entry, stop: null });
  }

  #takeRejection({ orderUuid, refusal }: OrderRejected): void {
    const { effect, trading } = this.#dueEffect(orderUuid);
    expectRejected(refusal, { effect, trading, book: this.#book, at: this.#now() });
    this.#book.pending.delete(orderUuid);
  }

  #takeFill(fill: OrderFilled): void {
    const command = this.#command;
    if (command.type === "settlePrices") {
      this.#takeTriggered(fill);
      return;
    }
    const { quote, instrument } = this.#tradingOn(fill.pair);
    const quoted = fillPriceOf(fill.direction, quote);
    const slack = instrument.slippage.kind === "none" ? 0 : quoted * SLIPPAGE_MAX * 1.05;
    expectThat(
      Math.abs(fill.price - quoted) <= slack,
      `a fill at ${quoted} within the slippage, not at ${fill.price}`,
    );
    if (command.type === "flatten") {
      expectThat(this.#dueCloses.delete(fill.positionUuid), "the command closes the position");
      this.#closeWhole(fill);
      return;
    }
    const isOwn = "orderUuid" in command && this.#dueCloses.delete(fill.orderUuid);
    expectThat(isOwn, `${fill.orderUuid} is the order of the command`);
    if (command.type === "closePair") {
      this.#closeWhole(fill);
      return;
    }
    expectThat(
      command.type === "placeMarket",
      `only placeMarket fills immediately, not ${command.type}`,
    );
    expectSame(fill.direction, command.direction, "the direction of a fill");
    expectSame(fill.reduceOnly ?? false, command.reduceOnly, "whether a fill could only reduce");
    const { reduceOnly: isReduceOnly } = command;
    this.#fillEntry(fill, { ...command, slack: slack / quoted, isReduceOnly });
  }

  /** Checks the fill of a pending order, which must be the next effect of the quote on the pair. */
  #takeTriggered(fill: OrderFilled): void {
    const { effect, trading } = this.#dueEffect(fill.orderUuid);
    expectSame(fill.kind, effect.by, `how ${fill.orderUuid} fills`);
    const { order } = effect;
    if (effect.by === "limit") {
      this.#book.pending.delete(order.uuid);
      const { direction } = order;
      expectSame(fill.price, fillPriceOf(direction, trading.quote), "the price of a limit");
      expectSame(effect.order.stop, null, "the stop of a limit that fills");
      expectSame(fill.direction, direction, "the direction of a fill");
      this.#fillEntry(fill, { ...effect.order, slack: 0 });
      return;
    }
    const held = this.#heldOn(order.pair);
    const mark = held.direction === "long" ? trading.quote.bid : trading.quote.ask;
    expectSame(fill.price, mark, "the price of a leg");
    const at = this.#now();
    const exit = { ...requestedExitOf(effect, trading, at), at };
    this.#book.removeActedLeg(effect.order, fill.quantity);
    this.#dueCancels = new Set(this.#fills.takeExitFill(fill, held, exit));
  }

  #dueEffect(uuid: string): { readonly effect: QuoteEffect; readonly trading: TradablePair } {
    expectSame(this.#command.type, "settlePrices", `the command that fills or rejects ${uuid}`);
    const pending = this.#book.pending.get(uuid);
    expectThat(pending !== undefined, `${uuid} is pending`);
    const trading = this.#tradingOn(pending.pair);
    const effect = nextEffect(this.#book, trading);
    expectSame(uuid, effect?.order.uuid, `the next effect of the quote on ${pending.pair}`);
    expectThat(effect !== null, "an effect");
    return { effect, trading };
  }

  #fillEntry(fill: OrderFilled, requested: RequestedFill): void {
    this.#dueCancels = new Set(this.#fills.takeEntryFill(fill, requested, this.#now()));
    if (fill.effect !== "open" && fill.effect !== "add") return;
    this.#dueLegs = this.#legsFor(fill.orderUuid, requested.legs, this.#heldOn(fill.pair));
  }

  #closeWhole(fill: OrderFilled): void {
    this.#dueCancels = new Set([
      ...this.#dueCancels,
      ...this.#fills.takeWholeClose(fill, this.#presentMoment()),
    ]);
  }

  #legsFor(parent: string, legs: readonly LegRequest[], held: HeldPosition): readonly PendingLeg[] {
    const moment = this.#presentMoment();
    return legs.map((request, index) =>
      createReferenceLeg(`${parent}-bracket-${index}`, request, { held, moment }),
    );
  }

  #moveTrails(): void {
    for (const leg of this.#book.pending.values()) {
      if (leg.what !== "leg" || leg.best === null) continue;
      const trading = tradablePairOf(leg.pair, this.#presentMoment());
      if (trading === null) continue;
      this.#book.pending.set(leg.uuid, { ...leg, best: bestPriceAfter(leg, trading.quote) });
    }
  }

  #expectSettled(): void {
    for (const pair of this.#presentMoment().instruments.keys()) {
      const trading = tradablePairOf(pair, this.#presentMoment());
      if (trading === null) continue;
      const left = nextEffect(this.#book, trading);
      expectSame(left?.order.uuid ?? null, null, `the next effect of the settled quote on ${pair}`);
      const stops = findTriggeredStopLimits(this.#book, trading).map(({ uuid }) => uuid);
      expectSame(stops.join(), "", `the stops that the settled quote on ${pair} still triggers`);
    }
  }

  #bestOf(uuid: string): number | null {
    const leg = this.#book.pending.get(uuid);
    return leg?.what === "leg" ? leg.best : null;
  }

  #heldOn(pair: string): HeldPosition {
    const held = this.#book.positions.get(pair);
    expectThat(held !== undefined, `an open position on ${pair}`);
    return held;
  }

  #tradingOn(pair: string): TradablePair {
    const trading = tradablePairOf(pair, this.#presentMoment());
    expectThat(trading !== null, `${pair} trades now`);
    return trading;
  }

  #presentMoment(): Moment {
    expectThat(this.#moment !== null, "the reference has a command");
    return this.#moment;
  }

  #now(): ReferenceCircumstances {
    const account = this.#account;
    expectThat(account !== null, "the reference has an account");
    const { terms, realized, fees } = account;
    return {
      book: this.#book,
      moment: this.#presentMoment(),
      cash: terms.size + realized - fees,
      accountSize: terms.size,
      maxPending: terms.mostRestingOrders,
      account,
    };
  }
}
