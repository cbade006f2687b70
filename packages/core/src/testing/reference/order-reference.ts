/**
 * A second, literal account of what orders, legs, edits and quotes do. It follows every
 * command and its events, and throws at the first event that the rules do not require, at the first required event
 * that is missing, and at a refusal without a reason.
 */
import type { AccountState } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event, OrderFilled, OrderRejected } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { BracketLeg, LegRequest } from "../../state/order.ts";
import type { Refusal } from "../../state/refusal.ts";
import type { AppliedEvent } from "../lives/applied-event.ts";
import { holds, same } from "../lives/expectation.ts";
import {
  type HeldPosition,
  ReferenceBook,
  type WaitingEntry,
  type WaitingLeg,
} from "./reference-book.ts";
import { type Circumstances, cancelled, flattened, pricingOf } from "./reference-circumstances.ts";
import { compareWithBook, entryFields } from "./reference-comparison.ts";
import { type Effect, nextEffect, passedStops } from "./reference-effects.ts";
import { type AskedFill, expectNoRoomBeyond, ReferenceFills, sizesOf } from "./reference-fills.ts";
import { editedEntry, editedLeg, newLeg } from "./reference-legs.ts";
import { JUDGED_REFUSALS, Objections } from "./reference-objections.ts";
import { betterOf, fillPriceOf, type Trading, tradingOf } from "./reference-prices.ts";
import { roomFor } from "./reference-room.ts";
import { doLegsFit, MOST_SLIPPAGE } from "./reference-sides.ts";

/** What the end of an account or of its phase does; other models judge whether it was due. */
const FORCED_FILLS: ReadonlySet<OrderFilled["kind"]> = new Set(["elimination", "phaseEnd"]);
const FORCED_CANCELS: ReadonlySet<string> = new Set([
  "accountEnded",
  "phaseEnded",
  "proTransition",
]);
/** What a limit that opens may be refused for when its price comes; the caps have their own model. */
const REJECTIONS_OF_OPENING: ReadonlySet<Refusal["code"]> = new Set<Refusal["code"]>([
  "noRoom",
  "positionTooSmall",
  "proTransition",
]);

export class OrderReference {
  readonly #book = new ReferenceBook();
  readonly #fills = new ReferenceFills(this.#book);
  #account: AccountState | null = null;
  #command: Command = { type: "passTime" };
  #moment: Moment | null = null;
  #hasBegun = false;
  /** Cancellations and legs that an event has brought about and that have not come yet. */
  #dueCancels = new Set<string>();
  #dueLegs: readonly WaitingLeg[] = [];
  /** What the command closes or cancels and has not yet. */
  #dueCloses = new Set<string>();

  begin(command: Command, moment: Moment): void {
    this.#command = command;
    this.#moment = moment;
    this.#hasBegun = false;
  }

  /** Of every event, in order. */
  take({ event, before, after, moment }: AppliedEvent): void {
    this.#account = before ?? after;
    this.#moment = moment;
    this.#takeEvent(event);
    this.#account = after;
  }

  /** After the last event of a command. @throws when something that is due has not come. */
  end(state: AccountState): void {
    this.#account = state;
    if (state.status === "active") this.#beginOnce();
    same([...this.#dueCancels].join(), "", "what should have been cancelled");
    same(this.#dueLegs.length, 0, "legs that should have been attached");
    same([...this.#dueCloses].join(), "", "what should have been closed, cancelled or changed");
    if (this.#command.type === "settlePrices") this.#expectSettled();
    compareWithBook(state, this.#book);
  }

  /** `hasDues`: time had brought something about first, which the refusal hides. */
  refused(state: AccountState, refusal: Refusal, hasDues: boolean): void {
    this.#account = state;
    if (hasDues || !JUDGED_REFUSALS.has(refusal.code)) return;
    const { must, may } = new Objections(this.#command, this.#now());
    const isJust = must.has(refusal.code) || may.has(refusal.code);
    holds(isJust, `${this.#command.type} is refused for ${refusal.code} with no reason to`);
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
        const placed = entryFields(event.order);
        const asked = this.#placedEntry();
        same(JSON.stringify(placed), JSON.stringify(asked), "the order that was placed");
        this.#dueCloses.delete(placed.uuid);
        this.#book.waiting.set(placed.uuid, placed);
        break;
      }
      case "orderEdited":
        this.#beginOnce();
        this.#dueCloses.delete(event.order.uuid);
        // Sent again without a position to reduce, it is no exit any more.
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
        same(event.quote.atMs, quote?.atMs, `the quote that ${event.orderUuid} waits out`);
        break;
      }
      case "trailMoved": {
        this.#beginOnce();
        const leg = this.#book.waiting.get(event.orderUuid);
        same(event.bestPrice, leg?.what === "leg" ? leg.best : null, "the best price of a leg");
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
      case "drawdownDeepened":
      case "payoutRecorded":
      case "positionClosed":
      case "proOffered":
      case "proPromoted":
      case "proStarted":
      case "softBreached":
        break;
    }
  }

  /** What the command does by itself, once time has done what it had to. */
  #beginOnce(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const at = this.#now();
    const command = this.#command;
    const { must } = new Objections(command, at);
    same([...must].join(), "", `${command.type} is accepted against`);
    this.#dueCloses = new Set();
    if (command.type === "settlePrices") this.#moveTrails();
    if ("orderUuid" in command && command.type !== "placeBracket") {
      this.#dueCloses.add(command.orderUuid);
    }
    if (command.type === "cancelOrders") {
      this.#dueCloses = new Set(cancelled(command, this.#book) ?? []);
    }
    if (command.type === "flatten") {
      this.#dueCloses = new Set(flattened(command, at).closing.map(({ uuid }) => uuid));
    }
    if (command.type === "placeBracket") {
      const held = this.#heldOn(command.pair);
      this.#dueLegs = this.#legsFor(command.orderUuid, command.legs, held);
    }
    if (command.type === "editOrder") this.#edit(command.replacement);
  }

  #edit(replacement: Extract<Command, { readonly type: "editOrder" }>["replacement"]): void {
    const old = this.#book.waiting.get(replacement.orderUuid);
    holds(old !== undefined, "an edit of an order that is pending");
    this.#dueCloses.add(old.uuid);
    if (replacement.type !== "editLeg") {
      this.#book.waiting.set(old.uuid, editedEntry(replacement));
      return;
    }
    holds(old.what === "leg", "an edit of a leg");
    const held = this.#heldOn(old.pair);
    const edited = editedLeg(old, replacement.leg, { held, moment: this.#theMoment() });
    this.#book.waiting.set(old.uuid, edited);
  }

  #placedEntry() {
    const command = this.#command;
    holds(
      command.type === "placeLimit" || command.type === "placeStopLimit",
      `${command.type} does not place an order`,
    );
    return editedEntry(command);
  }

  #takeCancel(uuid: string, reason: string): void {
    if (reason === "positionClosed") {
      holds(this.#dueCancels.delete(uuid), `${uuid} had to go with its position`);
      return;
    }
    if (FORCED_CANCELS.has(reason)) {
      holds(this.#book.waiting.delete(uuid), `${uuid} was pending`);
      return;
    }
    this.#beginOnce();
    same(this.#command.type, "cancelOrders", `what cancels ${uuid} for ${reason}`);
    holds(this.#dueCloses.delete(uuid), `${uuid} was to be cancelled`);
    this.#book.waiting.delete(uuid);
  }

  #takeLegs(legs: readonly BracketLeg[]): void {
    same(
      legs.map(({ uuid }) => uuid).join(),
      this.#dueLegs.map(({ uuid }) => uuid).join(),
      "the legs that are attached",
    );
    for (const leg of this.#dueLegs) this.#book.waiting.set(leg.uuid, leg);
    this.#dueLegs = [];
  }

  #takeStop(uuid: string): void {
    same(this.#command.type, "settlePrices", "what passes a stop");
    const entry = this.#book.waiting.get(uuid);
    holds(entry?.what === "entry" && entry.stop !== null, `${uuid} is a stop-limit`);
    const trading = this.#tradingOn(entry.pair);
    const isPassed = passedStops(this.#book, trading.quote).some((one) => one.uuid === uuid);
    holds(isPassed, `the quote passes the stop of ${uuid}`);
    this.#book.waiting.set(uuid, { ...entry, stop: null });
  }

  #takeRejection({ orderUuid, refusal }: OrderRejected): void {
    const { effect, trading } = this.#dueEffect(orderUuid);
    holds(effect.by === "limit", "only what is not a leg is rejected");
    const entry = effect.order;
    const held = this.#book.positions.get(entry.pair);
    const isExit = held !== undefined && held.direction !== entry.direction;
    const { code } = refusal;
    const hasWrongLegs = !isExit && !doLegsFit(entry.legs, entry.direction, trading.quote);
    const isLegs = code === "wrongSide" || code === "wouldTrigger";
    const isTiny = code === "sizeBelowGrid" && sizesOf(effect, trading, this.#now()).least <= 0;
    const isOpening = !isExit && REJECTIONS_OF_OPENING.has(code);
    if (code === "noRoom") this.#expectNoRoom(entry, trading);
    const isJust = (isLegs && hasWrongLegs) || isTiny || isOpening;
    holds(isJust, `${orderUuid} is rejected for ${code} with no reason to`);
    this.#book.waiting.delete(orderUuid);
  }

  #expectNoRoom({ pair, direction }: WaitingEntry, { quote }: Trading): void {
    const at = this.#now();
    const pricing = pricingOf(pair, fillPriceOf(direction, quote), at);
    holds(pricing !== null, "a rate to work a size out with");
    expectNoRoomBeyond(0, { room: roomFor(pair, at.account, at.moment), pricing });
  }

  #takeFill(fill: OrderFilled): void {
    const command = this.#command;
    if (command.type === "settlePrices") {
      this.#takeTriggered(fill);
      return;
    }
    const { quote, instrument } = this.#tradingOn(fill.pair);
    const quoted = fillPriceOf(fill.direction, quote);
    const slack = instrument.slippage.kind === "none" ? 0 : quoted * MOST_SLIPPAGE * 1.05;
    holds(Math.abs(fill.price - quoted) <= slack, `a fill at ${quoted}, not at ${fill.price}`);
    if (command.type === "flatten") {
      holds(this.#dueCloses.delete(fill.positionUuid), "a position that was to be closed");
      this.#closeWhole(fill);
      return;
    }
    const isOwn = "orderUuid" in command && this.#dueCloses.delete(fill.orderUuid);
    holds(isOwn, `${fill.orderUuid} is the order of the command`);
    if (command.type === "closePair") {
      this.#closeWhole(fill);
      return;
    }
    holds(command.type === "placeMarket", `${command.type} fills nothing at once`);
    same(fill.direction, command.direction, "the direction of a fill");
    this.#fillEntry(fill, { ...command, slack: slack / quoted, isReduceOnly: false });
  }

  /** The quote's next effect on the pair, and no other. */
  #takeTriggered(fill: OrderFilled): void {
    const { effect, trading } = this.#dueEffect(fill.orderUuid);
    same(fill.kind, effect.by, `how ${fill.orderUuid} fills`);
    const { order } = effect;
    this.#book.waiting.delete(order.uuid);
    if (effect.by === "limit") {
      const { direction } = order;
      same(fill.price, fillPriceOf(direction, trading.quote), "the price of a limit");
      same(effect.order.stop, null, "the stop of what fills");
      same(fill.direction, direction, "the direction of a fill");
      this.#fillEntry(fill, { ...effect.order, slack: 0 });
      return;
    }
    const held = this.#heldOn(order.pair);
    const mark = held.direction === "long" ? trading.quote.bid : trading.quote.ask;
    same(fill.price, mark, "the price of a leg");
    const at = this.#now();
    const asked = { sizes: sizesOf(effect, trading, at), byLeg: true };
    this.#dueCancels = new Set(this.#fills.exit(fill, held, { ...asked, at }));
  }

  #dueEffect(uuid: string): { readonly effect: Effect; readonly trading: Trading } {
    same(this.#command.type, "settlePrices", `what reaches ${uuid}`);
    const waiting = this.#book.waiting.get(uuid);
    holds(waiting !== undefined, `${uuid} is pending`);
    const trading = this.#tradingOn(waiting.pair);
    const effect = nextEffect(this.#book, trading.quote);
    same(uuid, effect?.order.uuid, `the next effect of the quote on ${waiting.pair}`);
    holds(effect !== null, "an effect");
    return { effect, trading };
  }

  #fillEntry(fill: OrderFilled, asked: AskedFill): void {
    const gone = this.#fills.entry(fill, asked, this.#now());
    this.#dueCancels = new Set(gone);
    if (fill.effect !== "open" && fill.effect !== "add") return;
    this.#dueLegs = this.#legsFor(fill.orderUuid, asked.legs, this.#heldOn(fill.pair));
  }

  #closeWhole(fill: OrderFilled): void {
    this.#dueCancels = new Set([
      ...this.#dueCancels,
      ...this.#fills.whole(fill, this.#theMoment()),
    ]);
  }

  #legsFor(parent: string, legs: readonly LegRequest[], held: HeldPosition): readonly WaitingLeg[] {
    const moment = this.#theMoment();
    return legs.map((asked, index) =>
      newLeg(`${parent}-bracket-${index}`, asked, { held, moment }),
    );
  }

  #moveTrails(): void {
    for (const leg of this.#book.waiting.values()) {
      if (leg.what !== "leg" || leg.best === null) continue;
      const trading = tradingOf(leg.pair, this.#theMoment());
      if (trading === null) continue;
      this.#book.waiting.set(leg.uuid, { ...leg, best: betterOf(leg, trading.quote) });
    }
  }

  #expectSettled(): void {
    for (const { pair } of this.#theMoment().quotes.values()) {
      const trading = tradingOf(pair, this.#theMoment());
      if (trading === null) continue;
      const left = nextEffect(this.#book, trading.quote);
      same(left?.order.uuid ?? null, null, `what the quote on ${pair} still has to do`);
      const stops = passedStops(this.#book, trading.quote).map(({ uuid }) => uuid);
      same(stops.join(), "", `the stops that the quote on ${pair} passes`);
    }
  }

  #heldOn(pair: string): HeldPosition {
    const held = this.#book.positions.get(pair);
    holds(held !== undefined, `an open position on ${pair}`);
    return held;
  }

  #tradingOn(pair: string): Trading {
    const trading = tradingOf(pair, this.#theMoment());
    holds(trading !== null, `${pair} trades now`);
    return trading;
  }

  #theMoment(): Moment {
    holds(this.#moment !== null, "a command has begun");
    return this.#moment;
  }

  #now(): Circumstances {
    const account = this.#account;
    holds(account !== null, "an account");
    const { terms, realized, fees } = account;
    return {
      book: this.#book,
      moment: this.#theMoment(),
      cash: terms.size + realized - fees,
      accountSize: terms.size,
      mostWaiting: terms.mostRestingOrders,
      account,
    };
  }
}
