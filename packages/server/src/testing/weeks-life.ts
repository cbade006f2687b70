/** One random test case: every step of some weeks runs on the node and on the model, which must agree after it. */
import {
  type AccountId,
  actionId,
  orderUuid,
  type PairId,
  price,
  type TraderCommand,
  unixMs,
} from "@propgate/core";
import { expect } from "vitest";
import type { Execution } from "../../../ledger/src/trading/executor-port.ts";
import { expectSame, networkProTermsOf, networkTermsOf } from "./weeks-comparison.ts";
import {
  AAPL,
  BTCUSD,
  type BtcusdTerms,
  EURGBP,
  FIRST_PRICES,
  GBPUSD,
  weeksCatalogue,
} from "./weeks-market.ts";
import { WeeksAccount } from "./weeks-model.ts";
import { WeeksNode } from "./weeks-node.ts";
import { ModelPrices } from "./weeks-prices.ts";
import type { WeeksAct, WeeksStep } from "./weeks-steps.ts";
import type { ModelTerms } from "./weeks-terms.ts";

/** The start of each test case, a Monday. */
const START = unixMs(Date.parse("2026-01-05T15:00:00Z"));
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const LEAD_MS = 10_000;
const FIRST_CATALOGUE: BtcusdTerms = {
  carryRate: 0.000_1,
  feeRate: 0.000_3,
  standing: "offered",
};
/** The maximum drift of a price, as a share. Prices stay near their first ones, so no resting entry is reached. */
const DRIFT_MAX = 0.2;

/** How often each case that the test must cover has occurred: the counts before the first case. */
export const EMPTY_WEEKS_TALLY = {
  weeks: 0,
  stops: 0,
  retired: 0,
  halts: 0,
  splits: 0,
  payouts: 0,
  held: 0,
  phases: 0,
  ended: 0,
  closed: 0,
  waits: 0,
};
export type WeeksTally = typeof EMPTY_WEEKS_TALLY;

interface Traded {
  readonly id: AccountId;
  readonly model: WeeksAccount;
}

export class WeeksLife {
  readonly #terms: readonly ModelTerms[];
  readonly #prices = new ModelPrices(START, FIRST_CATALOGUE);
  readonly #node = new WeeksNode(START);
  readonly #accounts: Traded[] = [];
  /** The splits that were announced, and whether they were applied to the accounts. */
  readonly #splits: { readonly atMs: number; readonly factor: number; isDone: boolean }[] = [];
  readonly #filledAtMs: number[] = [];
  readonly #drift = new Map<PairId, number>();
  #ids = 0;
  readonly tally: WeeksTally = { ...EMPTY_WEEKS_TALLY };

  constructor(terms: readonly ModelTerms[]) {
    this.#terms = terms;
  }

  static async play([terms, steps]: readonly [
    readonly ModelTerms[],
    readonly WeeksStep[],
  ]): Promise<WeeksTally> {
    const life = new WeeksLife(terms);
    await life.#node.start(weeksCatalogue(FIRST_CATALOGUE));
    for (const [place] of terms.entries()) await life.#openAccount(place);
    for (const [pair, first] of FIRST_PRICES) await life.#send(pair, first);
    for (const step of steps) {
      try {
        await life.#take(step);
      } catch (cause) {
        const at = new Date(life.#prices.nowMs).toISOString();
        throw new Error(`at ${at}, ${JSON.stringify(step)}`, { cause });
      }
    }
    for (const { model } of life.#accounts) life.#countIn(model);
    life.tally.weeks = (life.#prices.nowMs - START) / WEEK_MS;
    expect(life.#node.faults).toEqual([]);
    return life.tally;
  }

  async #openAccount(place: number): Promise<void> {
    const terms = this.#terms[place];
    if (terms === undefined) throw new Error("an account of the life");
    const id = await this.#node.open(networkTermsOf(terms));
    this.#accounts[place] = { id, model: new WeeksAccount(terms, this.#prices) };
  }

  async #take({ wait, account: place, act, isRepeated }: WeeksStep): Promise<void> {
    await this.#passTo(this.#timeAfter(wait));
    await this.#second();
    const traded = this.#accounts[place];
    if (traded === undefined) throw new Error("an account of the life");
    await this.#act(traded, act);
    const isOperators = act.do === "promote" || act.do === "offerPro" || act.do === "close";
    if (isRepeated && isOperators) {
      // Every command first does the work that is due. The first act itself may make work due: the end of a transition
      // starts the time of inactivity.
      traded.model.evaluate();
      await this.#act(traded, act);
    }
    await this.#second();
    this.#compare();
    if (traded.model.status === "active") return;
    this.tally[traded.model.status === "closed" ? "closed" : "ended"] += 1;
    this.#countIn(traded.model);
    await this.#openAccount(place);
  }

  #countIn({ payouts, heldCycles, phases }: WeeksAccount): void {
    this.tally.payouts += payouts.length;
    this.tally.held += heldCycles;
    this.tally.phases += phases;
  }

  #timeAfter(wait: WeeksStep["wait"]): number {
    const { nowMs } = this.#prices;
    if (typeof wait === "number") return nowMs + wait;
    const midnightMs = nowMs - (nowMs % DAY_MS) + DAY_MS;
    if (wait === "midnight") return Math.max(midnightMs - 20_000, nowMs + 1);
    // Five seconds after the share's market opens.
    return midnightMs + 14.5 * HOUR_MS + 5_000;
  }

  /** Moves time. The jobs of a second run at every moment at which something may be due. */
  async #passTo(untilMs: number): Promise<void> {
    for (;;) {
      const due = this.#splits.find(({ isDone, atMs }) => !isDone && atMs <= untilMs);
      const boundaryMs = nextBoundary(this.#prices.nowMs);
      const nextMs = Math.min(boundaryMs, due?.atMs ?? untilMs, untilMs);
      this.#setTime(Math.max(nextMs, this.#prices.nowMs));
      if (due !== undefined && nextMs === due.atMs) this.#split(due);
      if (nextMs >= untilMs && due === undefined) return;
      await this.#second();
    }
  }

  #split(split: { readonly factor: number; isDone: boolean }): void {
    split.isDone = true;
    this.tally.splits += 1;
    this.#prices.split(AAPL, split.factor);
    for (const { model } of this.#accounts) model.split(AAPL, split.factor);
  }

  #setTime(nowMs: number): void {
    this.#prices.nowMs = nowMs;
    this.#node.now = unixMs(nowMs);
  }

  async #second(): Promise<void> {
    await this.#node.second();
    for (const { model } of this.#accounts) model.evaluate();
  }

  async #send(pair: PairId, at: number): Promise<void> {
    const isAccepted = this.#prices.accepts(pair);
    expect(await this.#node.send(pair, at)).toBe(isAccepted);
    if (isAccepted) {
      this.#prices.take(pair, at);
      for (const { model } of this.#accounts) model.evaluate();
    }
    await this.#second();
  }

  /** Moves the pair's price and sends it. In a closed market it does neither. */
  async #quote(pair: PairId, permille: number): Promise<void> {
    if (!this.#prices.isOpen(pair)) return;
    const drift = this.#drift.get(pair) ?? 0;
    const isFar = Math.abs(drift + permille / 1_000) > DRIFT_MAX;
    const move = isFar ? -permille : permille;
    const next = Number((this.#prices.priceOf(pair) * (1 + move / 1_000)).toPrecision(9));
    if (this.#prices.accepts(pair)) this.#drift.set(pair, drift + move / 1_000);
    await this.#send(pair, next);
  }

  async #act(traded: Traded, act: WeeksAct): Promise<void> {
    switch (act.do) {
      case "quote":
        return this.#quote(act.pair, act.permille);
      case "quoteAll":
        for (const pair of FIRST_PRICES.keys()) await this.#quote(pair, act.permille);
        return;
      case "favour":
        for (const { pair, sign } of traded.model.positions)
          await this.#quote(pair as PairId, sign * act.permille);
        return;
      case "open":
        return this.#open(traded, act);
      case "earn":
        return this.#earn(traded, act);
      case "flat":
        return this.#flat(traded, act.pair);
      case "place":
        return this.#place(traded);
      case "halt":
        this.#prices.halt(act.pair);
        this.tally.halts += 1;
        return this.#node.choose("halt", act.pair);
      case "lift":
        if (!this.#prices.isHalted(act.pair)) return;
        this.#prices.lift(act.pair);
        return this.#node.choose("auto", act.pair);
      case "split":
        this.#announce(act);
        return;
      case "stop":
        return this.#stop(act);
      case "promote":
      case "offerPro":
      case "close":
      case "eliminate":
        return this.#operate(traded, act);
    }
  }

  async #open(
    { id, model }: Traded,
    { pair, sign, share, stopPermille }: WeeksAct & { readonly do: "open" },
  ): Promise<void> {
    await this.#quote(pair, 0);
    if (pair === EURGBP) await this.#quote(GBPUSD, 0);
    if (model.status !== "active" || model.held(pair) !== null) return;
    if (!this.#prices.mayJudge(pair) && this.#prices.isTradable(pair)) return;
    const { priceOf, usdOf } = this.#prices;
    const perLot = priceOf(pair) * usdOf(pair) * (pair === BTCUSD || pair === AAPL ? 1 : 100_000);
    const lots = Number((((model.size / 1_000_000) * share) / perLot).toFixed(2));
    const stop =
      stopPermille === null
        ? null
        : Number((priceOf(pair) * (1 - (sign * stopPermille) / 1_000)).toPrecision(9));
    const leg =
      stop === null
        ? []
        : [{ stopLoss: price(stop), takeProfit: null, trailing: null, size: null }];
    const isPossible =
      this.#prices.isTradable(pair) &&
      !this.#prices.isBlocked(pair) &&
      model.phase !== "proTransition";
    const placed = await this.#order(id, {
      type: "placeMarket",
      orderUuid: this.#nextUuid(),
      pair,
      direction: sign === 1 ? "long" : "short",
      size: { kind: "quantity", lots },
      legs: leg,
      reduceOnly: false,
    });
    expect(placed).toBe(isPossible);
    if (isPossible) model.open(pair, sign, { lots, stop });
    if (isPossible && pair === AAPL) this.#filledAtMs.push(this.#prices.nowMs);
  }

  async #earn(traded: Traded, act: WeeksAct & { readonly do: "earn" }): Promise<void> {
    const { pair, sign, permille } = act;
    if (traded.model.held(pair) !== null) return;
    await this.#open(traded, { ...act, do: "open", stopPermille: null });
    this.#setTime(this.#prices.nowMs + 1_000);
    await this.#quote(pair, sign * permille);
    await this.#flat(traded, pair);
  }

  async #flat({ id, model }: Traded, pair: PairId): Promise<void> {
    const position = model.held(pair);
    if (position === null) return;
    const isPossible = this.#prices.isTradable(pair);
    const placed = await this.#order(id, { type: "closePair", orderUuid: this.#nextUuid(), pair });
    expect(placed).toBe(isPossible);
    if (isPossible) model.close(position);
    if (isPossible && pair === AAPL) this.#filledAtMs.push(this.#prices.nowMs);
  }

  /** Places a limit order that no price reaches. */
  async #place({ id, model }: Traded): Promise<void> {
    if (model.status !== "active" || model.held(BTCUSD) !== null) return;
    const isPossible = !this.#prices.isBlocked(BTCUSD) && model.phase !== "proTransition";
    const placed = await this.#order(id, {
      type: "placeLimit",
      orderUuid: this.#nextUuid(),
      pair: BTCUSD,
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      limitPrice: price(100),
      legs: [],
      reduceOnly: false,
    });
    expect(placed).toBe(isPossible);
    if (isPossible) model.place();
  }

  async #order(id: AccountId, command: TraderCommand): Promise<boolean> {
    return (await this.#node.submit(id, command)).ok;
  }

  async #operate(
    { id, model }: Traded,
    act: Extract<WeeksAct, { readonly do: "promote" | "offerPro" | "close" | "eliminate" }>,
  ): Promise<void> {
    switch (act.do) {
      case "promote": {
        const seen = act.seen ?? model.phase;
        const done = await this.#node.submit(id, { type: "promote", seenIn: [seen] });
        return expect(wordOf(done)).toBe(model.promote(seen));
      }
      case "offerPro": {
        const seen = act.seen ?? model.phase;
        const terms = networkProTermsOf(act.terms, model.terms);
        const done = await this.#node.submit(id, { type: "offerPro", terms, seenIn: [seen] });
        return expect(wordOf(done)).toBe(model.offerPro(act.terms, seen));
      }
      case "close": {
        const how = act.isForfeited ? ({ forfeit: true } as const) : {};
        const done = await this.#node.submit(id, { type: "closeAccount", ...how });
        return expect(wordOf(done)).toBe(model.closeAccount(act.isForfeited));
      }
      case "eliminate": {
        const done = await this.#node.submit(id, { type: "eliminateAccount", reason: "fraud" });
        return expect(wordOf(done)).toBe(model.eliminate());
      }
    }
  }

  /**
   * Announces a split that the service accepts. The answers to announcements have a model of their own:
   * `scales-model.ts`.
   */
  #announce({ factor, inMs, isAgain }: WeeksAct & { readonly do: "split" }): void {
    const { nowMs } = this.#prices;
    const atMs = unixMs(nowMs + inMs);
    if (!this.#mayAnnounce(atMs, isAgain)) return;
    this.#ids += 1;
    const [newShares, oldShares] = factor === 0.5 ? [1, 2] : [factor, 1];
    const id = actionId(`00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`);
    const moment = { id, pair: AAPL, atMs, announcedAtMs: unixMs(nowMs) };
    this.#node.announce({ kind: "split", ...moment, newShares, oldShares });
    const split = { atMs, factor, isDone: false };
    this.#splits.push(split);
    if (inMs <= 0) this.#split(split);
  }

  #mayAnnounce(atMs: number, isAgain: boolean): boolean {
    const leadMs = atMs - this.#prices.nowMs;
    if (leadMs < LEAD_MS && (leadMs > 0 || this.#prices.atMsOf(AAPL) >= atMs)) return false;
    if (leadMs <= 0 && this.#filledAtMs.some((filledMs) => filledMs >= atMs)) return false;
    if (this.#splits.some((one) => one.atMs >= atMs)) return false;
    return isAgain || !this.#splits.some((one) => one.atMs >= atMs - WEEK_MS);
  }

  async #stop({ forMs, catalogue }: WeeksAct & { readonly do: "stop" }): Promise<void> {
    this.tally.stops += 1;
    this.tally.retired += Number(catalogue.standing === "retired");
    const untilMs = this.#prices.nowMs + forMs;
    for (const split of this.#splits) {
      if (split.isDone || split.atMs > untilMs) continue;
      this.#split(split);
    }
    this.#setTime(untilMs);
    this.#prices.restart(catalogue);
    await this.#node.start(weeksCatalogue(catalogue));
  }

  #nextUuid() {
    this.#ids += 1;
    return orderUuid(`order-${this.#ids}`);
  }

  #compare(): void {
    for (const { id, model } of this.#accounts) {
      expectSame(this.#node.state(id), model);
      if (!model.mayJudge) this.tally.waits += 1;
    }
  }
}

/** The moments at which something may be due: midnights, carry, and the ends of sessions. */
function nextBoundary(nowMs: number): number {
  const dayMs = nowMs - (nowMs % DAY_MS);
  const hours = [8, 16, 21, 22, 24].map((hour) => dayMs + hour * HOUR_MS);
  return hours.find((atMs) => atMs > nowMs) ?? dayMs + DAY_MS;
}

/** `ok`, or the refusal's code; `ended` for an eliminated or closed account. */
function wordOf(answer: Execution): string {
  if (answer.ok) return "ok";
  const { code } = answer.refusal;
  return code === "accountEliminated" || code === "accountClosed" ? "ended" : code;
}
