/**
 * One account from its opening on: every step is done to the network and to models of it that were
 * written another way, and after it they must agree.
 */
import { isDeepStrictEqual } from "node:util";
import { evolve } from "../../evolve/evolve.ts";
import { decide } from "../../network/decide.ts";
import { dueAtMs } from "../../network/pass-time.ts";
import type { AccountState } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { Terms } from "../../state/terms.ts";
import { ExitPromises } from "../reference/exit-promises.ts";
import { OrderReference } from "../reference/order-reference.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { DayModel } from "./day-model.ts";
import { DueModel } from "./due-model.ts";
import { holds, same } from "./expectation.ts";
import { JudgementModel } from "./judgement-model.ts";
import { LedgerModel } from "./ledger-model.ts";
import { commandOf, nthOrder, openLife } from "./life-commands.ts";
import { LifeMarket } from "./life-market.ts";
import type { Step } from "./life-steps.ts";
import type { LifeTally } from "./life-tally.ts";
import { OrderModel } from "./order-model.ts";
import { PayoutModel } from "./payout-model.ts";
import { checkMarks, checkPhases, checkTransition } from "./phase-model.ts";
import { ProModel } from "./pro-model.ts";
import { openPnlOf } from "./valuation-model.ts";

/** The whole journal is folded anew after so many steps. */
const FOLD_EVERY = 64;
/** An account that has ended is tried with so many more steps. */
const STEPS_AFTER_THE_END = 12;

/** Commands after which the network has judged the account at the prices of now. */
const UNJUDGED: ReadonlySet<Command["type"]> = new Set([
  "openAccount",
  "provisionAccount",
  "recordPayout",
]);

/** Steps that take a second; the others come at the very moment of the one before. */
const TICKING: ReadonlySet<Step["do"]> = new Set(["quote", "favour", "settle"]);

/** What a life is given at its start. */
export interface LifePlan {
  readonly terms: Terms;
  readonly isProvisioned: boolean;
  /** Added to every move of what is open, the trader's way. */
  readonly luck: number;
  /** The operator leaves passes and promotions to the rules, and offers pro to the funded. */
  readonly isPatient: boolean;
}

export class Life {
  readonly #plan: LifePlan;
  readonly #market = new LifeMarket();
  readonly #ledger = new LedgerModel();
  readonly #day = new DayModel(this.#ledger);
  readonly #pro = new ProModel(this.#ledger, this.#day);
  readonly #payouts = new PayoutModel(this.#ledger);
  readonly #orders = new OrderModel();
  readonly #reference = new OrderReference();
  readonly #promises = new ExitPromises();
  readonly #due = new DueModel();
  readonly #judgement = new JudgementModel({
    ledger: this.#ledger,
    day: this.#day,
    pro: this.#pro,
  });
  readonly #journal: Event[] = [];
  readonly #tally: LifeTally;
  #state: AccountState;
  #steps = 0;
  #stepsAfterTheEnd = 0;

  constructor(plan: LifePlan, tally: LifeTally) {
    this.#plan = plan;
    this.#tally = tally;
    const opening = openLife(plan.terms, plan.isProvisioned);
    const early = decide(null, { type: "passTime" }, this.#market.moment());
    holds(!early.ok, "nothing is done before an account is opened");
    tally.addRefusal(early.refusal);
    const opened = decide(null, opening, this.#market.moment());
    holds(opened.ok, "an account opens");
    const first = opened.value.reduce<AccountState | null>(evolve, null);
    holds(first !== null, "an account that was opened");
    this.#state = frozen(first);
    this.#record(opened.value, { before: null, command: opening, moment: this.#market.moment() });
    tally.lives += 1;
  }

  /** False once the account has ended and that has been tried for long enough. */
  take(step: Step): boolean {
    this.#steps += 1;
    this.#tally.steps += 1;
    this.#moveWorld(step);
    const command = commandOf(step, {
      state: this.#state,
      market: this.#market,
      uuid: nthOrder(this.#steps),
      payoutIds: this.#payouts.ids,
    });
    if (command !== null && !this.#isLeftAlone(step)) this.submit(command);
    if (this.#steps % FOLD_EVERY === 0) this.checkJournal();
    if (this.#state.status === "eliminated" || this.#state.status === "closed") {
      this.#stepsAfterTheEnd += 1;
    }
    return this.#stepsAfterTheEnd < STEPS_AFTER_THE_END;
  }

  /** @throws when the journal, from its first event, does not give the account that is. */
  checkJournal(): void {
    const replayed = this.#journal.reduce<AccountState | null>(evolve, null);
    same(JSON.stringify(replayed), JSON.stringify(this.#state), "the journal, byte for byte");
  }

  submit(command: Command): void {
    const moment = this.#market.moment();
    const before = this.#state;
    // Frozen: whatever is refused has changed nothing, or would have thrown.
    const decision = decide(before, command, moment);
    if (!decision.ok) {
      this.#tally.addRefusal(decision.refusal);
      const dueMs = dueAtMs(before, moment.instruments);
      this.#reference.begin(command, moment);
      this.#reference.refused(before, decision.refusal, dueMs !== null && dueMs <= moment.now);
      return;
    }
    this.#tally.addCommand(command);
    this.#record(decision.value, { before, command, moment });
    if (!UNJUDGED.has(command.type)) this.#checkJudged(before, command, moment);
  }

  #isLeftAlone(step: Step): boolean {
    if (!this.#plan.isPatient) return false;
    const isOffer = step.do === "offerPro" && this.#state.phase === "challenge";
    return isOffer || step.do === "promote";
  }

  #moveWorld(step: Step): void {
    const market = this.#market;
    if (TICKING.has(step.do)) market.tick();
    const { positions } = this.#state;
    if (step.do === "quote") market.move(market.tradedAt(step.pair), step.share);
    else if (step.do === "favour") market.favour(positions, step.share + this.#plan.luck);
    else if (step.do === "loseQuote") market.lose(market.tradedAt(step.pair));
    else if (step.do === "loseAllQuotes") market.loseAll();
    else if (step.do === "restoreQuotes") market.restore();
    else if (step.do === "time") market.leap(step.leap, step.by);
    else if (step.do !== "market") for (const { pair } of positions) market.refresh(pair);
    else if (!step.isStale) market.refresh(market.pairAt(step.pair));
  }

  #record(events: readonly Event[], done: Done): void {
    const { command, moment } = done;
    let state = done.before;
    this.#due.take(events);
    this.#reference.begin(command, moment);
    for (const [index, event] of events.entries()) {
      same(event.atMs, moment.now, "the time of an event");
      const after = evolve(state, event);
      const next = events[index + 1] ?? null;
      this.#tell({ event, before: state, after, moment, next }, command);
      this.#journal.push(throughJson(event));
      this.#tally.addEvent(event);
      state = after;
    }
    if (state === null) return;
    if (events.length > 0) this.#state = throughJson(state);
    this.#ledger.check(state, moment);
    this.#day.check(state);
    this.#payouts.check(state, moment);
    this.#orders.check(state);
    this.#reference.end(this.#state);
    checkTransition(state);
  }

  /** Days and payouts are measured at what the ledger came to before the event. */
  #tell(told: AppliedEvent, command: Command): void {
    checkPhases(told, command);
    checkMarks(told);
    this.#day.take(told);
    this.#payouts.take(told);
    this.#ledger.take(told);
    this.#orders.take(told);
    this.#reference.take(told);
    this.#promises.take(told.event);
    this.#pro.take(told);
    this.#judgement.take(told, command);
  }

  /** Nothing is left to do, unless something that was open had no price. */
  #checkJudged(before: AccountState, command: Command, moment: Moment): void {
    const state = this.#state;
    this.#pro.check(state, moment);
    this.#judgement.check(state, moment);
    if (openPnlOf(before.positions, moment) === null) return;
    const again = command.type === "settlePrices" ? command : ({ type: "passTime" } as const);
    const repeated = decide(state, again, moment);
    holds(repeated.ok && repeated.value.length === 0, "a second time finds nothing to do");
    const dueMs = dueAtMs(state, moment.instruments);
    holds(dueMs === null || dueMs > moment.now, "what comes next lies ahead");
    same(dueMs === null, state.status !== "active", "an active account always has something ahead");
    if (state.status === "active") this.#ledger.checkCarried(moment);
  }
}

interface Done {
  readonly before: AccountState | null;
  readonly command: Command;
  readonly moment: Moment;
}

/** As a database gives it back; what text cannot hold, such as -0 or undefined, is a fault. */
function throughJson<Stored>(value: Stored): Stored {
  const stored: Stored = JSON.parse(JSON.stringify(value));
  holds(isDeepStrictEqual(stored, value), "what is stored is what was made");
  return frozen(stored);
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
