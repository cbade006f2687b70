/**
 * The life of one account in a test, from its opening. Every step runs on the network and on independent models, which
 * must agree after it.
 */
import { isDeepStrictEqual } from "node:util";
import { evolve } from "../../evolve/evolve.ts";
import { decide } from "../../network/decide.ts";
import { earliestDueMs } from "../../network/pass-time.ts";
import type { AccountState } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { Terms } from "../../state/terms.ts";
import { BestPriceTracker } from "../best-price-tracker.ts";
import { ExitPromises } from "../reference/exit-promises.ts";
import { OrderReference } from "../reference/order-reference.ts";
import { RejudgeableJournal } from "../rejudgeable-journal.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { DayModel } from "./day-model.ts";
import { DueModel } from "./due-model.ts";
import { expectSame, expectThat } from "./expectation.ts";
import { JudgementModel } from "./judgement-model.ts";
import { mayJudge } from "./judging-model.ts";
import { LedgerModel } from "./ledger-model.ts";
import { commandOf, openLifeCommand, orderIdOfStep } from "./life-commands.ts";
import { LifeMarket } from "./life-market.ts";
import type { LifeStep } from "./life-steps.ts";
import type { LifeTally } from "./life-tally.ts";
import { LimitLevelModel } from "./limit-level-model.ts";
import { OrderModel } from "./order-model.ts";
import { PayoutModel } from "./payout-model.ts";
import { checkMarks, checkPhases, checkTransition } from "./phase-model.ts";
import { ProModel } from "./pro-model.ts";
import { SwitchModel } from "./switch-model.ts";

/** The number of steps between two computations of the state from the whole journal. */
const FOLD_EVERY = 64;
/** The number of steps that are carried out after the account has ended. */
const STEPS_AFTER_THE_END = 12;

/** The commands that do not judge the account at the present prices. */
const COMMANDS_WITHOUT_JUDGEMENT: ReadonlySet<Command["type"]> = new Set([
  "openAccount",
  "provisionAccount",
  "recordPayout",
]);

/** The steps that take a second. All others, except `time`, happen at the time of the previous step. */
const STEPS_OF_A_SECOND: ReadonlySet<LifeStep["do"]> = new Set(["quote", "favour", "settle"]);

/** The settings of a life. */
export interface LifePlan {
  readonly terms: Terms;
  readonly isProvisioned: boolean;
  /** Added to every move of the prices of open positions, in the trader's favor. */
  readonly luck: number;
  /** When true, the operator never promotes the account, and offers the pro track only after the challenge. */
  readonly isPatient: boolean;
}

/** One account with the models that follow it, from its opening. */
export class RandomLife {
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
  readonly #switch = new SwitchModel();
  readonly #near = new LimitLevelModel();
  readonly #judgement = new JudgementModel({
    ledger: this.#ledger,
    day: this.#day,
    pro: this.#pro,
  });
  readonly #bests = new BestPriceTracker();
  readonly #journal: Event[] = [];
  readonly rejudgeableJournal = new RejudgeableJournal();
  readonly #tally: LifeTally;
  #state: AccountState;
  #steps = 0;
  #stepsAfterTheEnd = 0;

  constructor(plan: LifePlan, tally: LifeTally) {
    this.#plan = plan;
    this.#tally = tally;
    const opening = openLifeCommand(plan.terms, plan.isProvisioned);
    const early = decide(null, { type: "passTime" }, this.#market.moment());
    expectThat(!early.ok, "commands before the opening are refused");
    tally.addRefusal(early.refusal);
    const recording = this.rejudgeableJournal.recording(this.#market.moment());
    const opened = decide(null, opening, recording.moment);
    expectThat(opened.ok, "an account opens");
    this.rejudgeableJournal.add(opened.value, { before: null, command: opening, recording });
    const first = opened.value.reduce<AccountState | null>(evolve, null);
    expectThat(first !== null, "an opening makes an account");
    this.#state = frozen(first);
    this.#record(opened.value, { before: null, command: opening, moment: this.#market.moment() });
    tally.lives += 1;
  }

  /**
   * Carries out a step. Returns false when no further step is to be carried out: the account has ended and
   * `STEPS_AFTER_THE_END` steps have followed.
   */
  carryOut(step: LifeStep): boolean {
    this.#steps += 1;
    this.#tally.steps += 1;
    this.#changeMarket(step);
    const command = commandOf(step, {
      state: this.#state,
      market: this.#market,
      uuid: orderIdOfStep(this.#steps),
      payoutIds: this.#payouts.ids,
    });
    if (command !== null && !this.#isSkipped(step)) this.submit(command);
    if (this.#steps % FOLD_EVERY === 0) this.checkJournal();
    if (this.#state.status === "eliminated" || this.#state.status === "closed") {
      this.#stepsAfterTheEnd += 1;
    }
    return this.#stepsAfterTheEnd < STEPS_AFTER_THE_END;
  }

  /**
   * Computes the state again from the whole journal.
   * @throws when it differs from the account
   */
  checkJournal(): void {
    const replayed = this.#journal.reduce<AccountState | null>(evolve, null);
    expectSame(JSON.stringify(replayed), JSON.stringify(this.#state), "the journal, byte for byte");
  }

  /**
   * Makes every decision again from its inputs.
   * @throws when one differs from the journal
   */
  checkJudgement(): void {
    const { different, otherVersions, lines } = this.rejudgeableJournal.judge(
      this.rejudgeableJournal.lines,
    );
    expectSame(JSON.stringify(different), "null", "the first line that differs");
    expectSame(otherVersions.length, 0, "decisions that were not made again");
    expectSame(lines, this.#journal.length, "the judged lines");
  }

  submit(command: Command): void {
    const moment = { ...this.#market.moment(), bests: this.#bests.bests };
    const before = this.#state;
    // The state is frozen, so a refused command that changed it would throw.
    const recording = this.rejudgeableJournal.recording(moment);
    const decision = decide(before, command, recording.moment);
    if (!decision.ok) {
      this.#tally.addRefusal(decision.refusal);
      const dueMs = earliestDueMs(before, moment.instruments);
      this.#reference.begin(command, moment);
      this.#reference.checkRefusal(before, decision.refusal, dueMs !== null && dueMs <= moment.now);
      return;
    }
    this.#tally.addCommand(command);
    this.rejudgeableJournal.add(decision.value, { before, command, recording });
    this.#record(decision.value, { before, command, moment });
    if (!COMMANDS_WITHOUT_JUDGEMENT.has(command.type)) this.#checkJudged(before, command, moment);
  }

  #isSkipped(step: LifeStep): boolean {
    if (!this.#plan.isPatient) return false;
    const isOffer = step.do === "offerPro" && this.#state.phase === "challenge";
    return isOffer || step.do === "promote";
  }

  #changeMarket(step: LifeStep): void {
    const market = this.#market;
    if (STEPS_OF_A_SECOND.has(step.do)) market.tick();
    const { positions } = this.#state;
    if (step.do === "quote") market.move(market.tradedAt(step.pair), step.share);
    else if (step.do === "favour") market.favour(positions, step.share + this.#plan.luck);
    else if (step.do === "loseQuote") market.lose(market.tradedAt(step.pair));
    else if (step.do === "loseAllQuotes") market.loseAll();
    else if (step.do === "restoreQuotes") market.restore();
    else if (step.do === "time") this.#passTime(step);
    else if (step.do !== "market") for (const { pair } of positions) market.refresh(pair);
    else market.refreshFor(market.pairAt(step.pair), step.isStale);
  }

  #passTime({ leap, by, isQuoted }: Extract<LifeStep, { readonly do: "time" }>): void {
    this.#market.leap(leap, by);
    if (isQuoted) for (const { pair } of this.#state.positions) this.#market.refresh(pair);
  }

  #record(events: readonly Event[], executed: Executed): void {
    const { command, moment } = executed;
    let state = executed.before;
    this.#due.take(events);
    this.#reference.begin(command, moment);
    for (const [index, event] of events.entries()) {
      expectSame(event.atMs, moment.now, "the time of an event");
      const after = evolve(state, event);
      const next = events[index + 1] ?? null;
      this.#checkByModels({ event, before: state, after, moment, next }, command);
      this.#journal.push(roundTripJson(event));
      this.#tally.addEvent(event);
      state = after;
    }
    if (state === null) return;
    if (events.length > 0) this.#state = roundTripJson(state);
    this.#ledger.check(state, moment);
    this.#day.check(state);
    this.#payouts.check(state, moment);
    this.#orders.check(state);
    this.#bests.observe(this.#state, moment);
    if (command.type === "settlePrices") this.#bests.observeQuotes(this.#state, moment);
    this.#reference.end(this.#bests.accountWithBests(this.#state, moment));
    checkTransition(state);
  }

  /**
   * Passes an event to all models. The models of days and payouts come before the ledger model, because they need the
   * ledger's sums before the event.
   */
  #checkByModels(applied: AppliedEvent, command: Command): void {
    checkPhases(applied, command);
    checkMarks(applied);
    this.#day.take(applied);
    this.#payouts.take(applied);
    this.#ledger.take(applied);
    this.#orders.take(applied);
    this.#reference.take(applied);
    this.#promises.take(applied.event, applied.moment.instruments);
    this.#pro.take(applied);
    this.#judgement.take(applied, command);
    this.#switch.take(applied, command);
    this.#near.take(applied);
  }

  /**
   * Checks the account after a command that judges it. The command is then repeated, and must find nothing to do,
   * unless the account waits for a price.
   */
  #checkJudged(before: AccountState, command: Command, moment: Moment): void {
    const state = this.#state;
    this.#pro.check(state, moment);
    this.#judgement.check(state, moment);
    this.#switch.check(state, command, moment);
    this.#near.check(state, moment);
    if (!mayJudge(before.positions, moment)) return;
    const again = command.type === "settlePrices" ? command : ({ type: "passTime" } as const);
    const repeated = decide(state, again, moment);
    expectThat(
      repeated.ok && repeated.value.length === 0,
      "a repeated command finds nothing to do",
    );
    const dueMs = earliestDueMs(state, moment.instruments);
    expectThat(dueMs === null || dueMs > moment.now, "the next due time is in the future");
    expectSame(dueMs === null, state.status !== "active", "only an active account has a due time");
    if (state.status === "active") this.#ledger.checkCarried(moment);
  }
}

interface Executed {
  readonly before: AccountState | null;
  readonly command: Command;
  readonly moment: Moment;
}

/**
 * The value as a database returns it.
 * @throws for a value that JSON cannot hold, such as -0 or undefined
 */
function roundTripJson<Stored>(value: Stored): Stored {
  const stored: Stored = JSON.parse(JSON.stringify(value));
  expectThat(isDeepStrictEqual(stored, value), "a value survives JSON");
  return frozen(stored);
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
