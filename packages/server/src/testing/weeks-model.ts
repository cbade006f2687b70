/**
 * Accounts through weeks of quotes, silence, halts, stops of the service and acts of the operator. The model is
 * computed only from what the specification says about prices that judge, the day's end, payouts and phases. Each pair
 * has one price for both sides, and no cap binds. Money is in whole 0.000001 USD.
 */
import { carryDays, carryMsAfter, isMonday, mondayAfter } from "./weeks-calendar.ts";
import type { ModelPosition, ModelPrices } from "./weeks-prices.ts";
import { type DayFigures, WeeksStatistics } from "./weeks-statistics.ts";
import type { ModelPhase, ModelProTerms, ModelTerms } from "./weeks-terms.ts";

const DAY_MS = 86_400_000;

export interface ModelPayout {
  readonly gross: number;
  readonly amount: number;
}

export class WeeksAccount {
  readonly #prices: ModelPrices;
  readonly terms: ModelTerms;
  status: "active" | "eliminated" | "closed" = "active";
  /** The cause of the elimination; null without one. */
  ended: "dailyLoss" | "staticLoss" | "endOfDayTrailing" | "inactivity" | "operator" | null = null;
  phase: ModelPhase = "challenge";
  size: number;
  /** Realized profit less fees. */
  cash = 0;
  positions: readonly ModelPosition[] = [];
  /** Resting orders to buy BTCUSD at a price that is never reached. */
  entries = 0;
  dayStartMs: number;
  dayStart: number;
  highWater: number;
  /**
   * The highest profit of any closed cycle (`mark`), and the start of the cycle in progress; null while the phase has
   * no earnings.
   */
  earning: { readonly mark: number; readonly sinceMs: number } | null = null;
  payouts: readonly ModelPayout[] = [];
  deferred = 0;
  /** The number of cycles whose earnings were held, and of changes of phase. */
  heldCycles = 0;
  phases = 0;
  carriedToMs: number;
  idleSinceMs: number | null = null;
  #phaseSinceMs: number;
  #pro: ModelProTerms | null = null;
  #transitionEndsMs: number | null = null;
  #statistics: WeeksStatistics | null = null;

  constructor(terms: ModelTerms, prices: ModelPrices) {
    const { nowMs } = prices;
    this.#prices = prices;
    this.terms = terms;
    this.size = terms.size;
    this.dayStartMs = nowMs - (nowMs % DAY_MS);
    this.dayStart = terms.size;
    this.highWater = terms.size;
    this.carriedToMs = nowMs;
    this.#phaseSinceMs = nowMs;
  }

  get balance(): number {
    return this.size + this.cash;
  }

  get equity(): number {
    return this.positions.reduce((sum, one) => sum + this.#prices.openPnlOf(one), this.balance);
  }

  /** The lesser of balance and equity, less the size. */
  get profit(): number {
    return Math.min(this.balance, this.equity) - this.size;
  }

  held(pair: string): ModelPosition | null {
    return this.positions.find((one) => one.pair === pair) ?? null;
  }

  /**
   * True when each held pair has a price that may judge, and so has each pair that gives the conversion rate of its
   * quote currency. Until then the day's end, payouts, transitions, passes and breaches wait. @rule D13.judges
   */
  get mayJudge(): boolean {
    return this.positions.every(({ pair }) => this.#prices.mayJudge(pair));
  }

  /** Does the due work that may be done, then applies the prices. A second run has no effect. */
  evaluate(): void {
    if (this.status !== "active") return;
    this.#doDueWork();
    for (const position of this.positions) this.#stop(position);
    this.#judge();
    if (this.#prices.isBlocked("BTCUSD")) this.#cancelEntries();
  }

  open(
    pair: string,
    sign: 1 | -1,
    given: { readonly lots: number; readonly stop: number | null },
  ): void {
    const price = this.#prices.priceOf(pair);
    const position = { ...given, pair, sign, entry: price, openedAtMs: this.#prices.nowMs };
    this.positions = [...this.positions, position];
    this.cash -= this.#prices.feeOf(position);
    this.idleSinceMs = this.#prices.nowMs;
    if (this.#statistics !== null) this.#statistics.firstTradeAtMs ??= this.#prices.nowMs;
    this.#judge();
  }

  /** Closes the position at the price of its pair, as the owner's order does. */
  close(position: ModelPosition): void {
    this.#exit(position);
    this.idleSinceMs = this.#prices.nowMs;
    this.#judge();
  }

  place(): void {
    this.entries += 1;
    this.idleSinceMs = this.#prices.nowMs;
  }

  /** Promotes the account. Returns `ok`, or why it was refused. */
  promote(seen: ModelPhase): "ok" | "phaseChanged" | "noFreshQuote" | "noNextPhase" | "ended" {
    if (this.status !== "active") return "ended";
    if (seen !== this.phase) return "phaseChanged";
    if (!this.mayJudge) return "noFreshQuote";
    const { nowMs } = this.#prices;
    switch (this.phase) {
      case "challenge":
        this.#pass();
        break;
      case "proTransition":
        this.#endTransition(nowMs);
        break;
      case "proChallengeDirect":
      case "proChallengeFromStandard":
        this.#promoteTo(nowMs);
        break;
      case "funded":
      case "proFunded":
        return "noNextPhase";
    }
    this.#judge();
    return "ok";
  }

  offerPro(
    terms: ModelProTerms,
    seen: ModelPhase,
  ): "ok" | "phaseChanged" | "noFreshQuote" | "onProTrack" | "ended" {
    if (this.status !== "active") return "ended";
    if (seen !== this.phase) return "phaseChanged";
    if (this.phase === "challenge") {
      if (!this.mayJudge) return "noFreshQuote";
      this.#endTrading();
      this.#startPro(terms, "proChallengeDirect", this.#prices.nowMs);
      return "ok";
    }
    if (this.phase !== "funded") return "onProTrack";
    this.#pro = terms;
    this.#transitionEndsMs = mondayAfter(this.#prices.nowMs);
    this.phase = "proTransition";
    this.phases += 1;
    this.#phaseSinceMs = this.#prices.nowMs;
    this.#cancelEntries();
    return "ok";
  }

  eliminate(): "ok" | "ended" {
    if (this.status !== "active") return "ended";
    this.#eliminate("operator");
    return "ok";
  }

  closeAccount(isForfeited: boolean): "ok" | "cycleWaits" | "ended" {
    if (this.status === "closed") return "ended";
    if (this.earning !== null && !isForfeited && !this.mayJudge) return "cycleWaits";
    this.#endTrading();
    if (!isForfeited) this.#closeCycle(this.#prices.nowMs);
    this.deferred = 0;
    this.earning = null;
    this.status = "closed";
    return "ok";
  }

  split(pair: string, factor: number): void {
    for (const position of this.positions.filter((one) => one.pair === pair)) {
      position.lots *= factor;
      position.entry /= factor;
      if (position.stop !== null) position.stop /= factor;
    }
  }

  #doDueWork(): void {
    while (this.status === "active" && this.mayJudge) {
      const midnightMs = this.dayStartMs + DAY_MS;
      const carryMs = this.#nextCarryMs();
      const isIdling = this.idleSinceMs !== null && this.phase !== "proTransition";
      const idleMs = isIdling
        ? (this.idleSinceMs ?? 0) + this.terms.idleMs
        : Number.POSITIVE_INFINITY;
      const first = Math.min(carryMs, midnightMs, idleMs);
      if (first > this.#prices.nowMs) return;
      if (first === carryMs) this.#chargeCarry(carryMs);
      else if (first === midnightMs) this.#endDay(midnightMs);
      else this.#eliminate("inactivity");
      this.#judge();
    }
  }

  /** The next time at which carry is charged. Only positions that were open before it are charged. */
  #nextCarryMs(): number {
    return Math.min(...this.positions.map((one) => this.#carryMsOf(one)), Number.POSITIVE_INFINITY);
  }

  #carryMsOf({ pair, openedAtMs }: ModelPosition): number {
    return carryMsAfter(pair, Math.max(this.carriedToMs, openedAtMs));
  }

  #chargeCarry(dueMs: number): void {
    for (const position of this.positions) {
      if (this.#carryMsOf(position) !== dueMs) continue;
      const rate =
        position.pair === "BTCUSD"
          ? this.#prices.carryRateAt(dueMs)
          : (0.03 / 365) * carryDays(dueMs);
      this.cash -= Math.round(this.#prices.valueOf(position) * rate);
    }
    this.carriedToMs = dueMs;
  }

  #endDay(midnightMs: number): void {
    const { equity, dayStart, dayStartMs } = this;
    this.#statistics?.countDay(dayStartMs, (equity - dayStart) / dayStart);
    this.dayStartMs = midnightMs;
    this.dayStart = equity;
    this.highWater = Math.max(this.highWater, equity);
    if (!this.#isStatic && equity < floorOf(this.highWater, this.#maxPct)) {
      this.#eliminate("endOfDayTrailing");
      return;
    }
    if (this.phase === "proFunded") this.#statistics?.judgeDay(dayStartMs, this.#figures);
    if (isMonday(midnightMs)) this.#endWeek(midnightMs);
    const isCandidate =
      this.phase === "proChallengeDirect" || this.phase === "proChallengeFromStandard";
    if (isCandidate && this.#statistics?.meetsAll(this.#figures) === true)
      this.#promoteTo(midnightMs);
  }

  #endWeek(mondayMs: number): void {
    const isOver = this.phase === "proTransition" && (this.#transitionEndsMs ?? 0) <= mondayMs;
    if (isOver) this.#endTransition(mondayMs);
    else this.#closeCycle(mondayMs);
  }

  get #figures(): DayFigures {
    const { equity, cash, size, highWater } = this;
    return { equity, cash, size, highWater };
  }

  #endTransition(atMs: number): void {
    const pro = this.#pro;
    if (pro === null) throw new Error("a transition to a pro account");
    this.#endTrading();
    this.#closeCycle(atMs);
    // The time of inactivity does not run during the transition.
    if (this.idleSinceMs !== null)
      this.idleSinceMs = atMs - Math.max(0, this.#phaseSinceMs - this.idleSinceMs);
    this.#startPro(pro, "proChallengeFromStandard", atMs);
  }

  #startPro(pro: ModelProTerms, phase: ModelPhase, atMs: number): void {
    this.#pro = pro;
    this.#transitionEndsMs = null;
    this.#statistics = new WeeksStatistics(pro);
    this.phase = phase;
    this.phases += 1;
    this.#phaseSinceMs = atMs;
    this.#restart(pro.size);
    this.earning = phase === "proChallengeDirect" ? null : { mark: 0, sinceMs: atMs };
  }

  /** Promotes to the funded pro account. The highest profit of the account's closed cycles is kept. */
  #promoteTo(atMs: number): void {
    this.#closeCycle(atMs);
    const mark = Math.max(this.earning?.mark ?? 0, this.profit, 0);
    this.phase = "proFunded";
    this.phases += 1;
    this.#phaseSinceMs = atMs;
    this.earning = { mark, sinceMs: atMs };
  }

  #pass(): void {
    this.#endTrading();
    this.#restart(this.size);
    this.phase = "funded";
    this.phases += 1;
    this.#phaseSinceMs = this.#prices.nowMs;
    this.earning = { mark: 0, sinceMs: this.#prices.nowMs };
  }

  #restart(size: number): void {
    this.size = size;
    this.cash = 0;
    this.dayStart = size;
    this.highWater = size;
  }

  /** Closes the cycle. Its share is deferred while the cycle is held, or balance or equity is below the size. */
  #closeCycle(atMs: number): void {
    const { earning, profit } = this;
    if (earning === null) return;
    const gross = Math.max(0, profit - earning.mark);
    if (atMs <= earning.sinceMs && gross === 0) return;
    const scale = this.phase === "proChallengeFromStandard" ? (this.#pro?.scale ?? 1) : 1;
    const share = Math.round(Number((gross * this.#split * scale).toPrecision(15)));
    const isHeld =
      this.phase === "proFunded" && this.#statistics?.isHeldSince(earning.sinceMs) === true;
    const isPaid = !isHeld && profit >= 0;
    const amount = isPaid ? share + this.deferred : 0;
    this.deferred = isPaid ? 0 : this.deferred + share;
    this.heldCycles += Number(isHeld && share > 0);
    if (amount > 0) this.payouts = [...this.payouts, { gross, amount }];
    this.earning = {
      mark: Math.max(earning.mark, profit),
      sinceMs: Math.max(atMs, earning.sinceMs + 1),
    };
  }

  /**
   * Judges the account at live prices: records the deepest drawdown, then eliminates it after a breach, or passes its
   * challenge.
   */
  #judge(): void {
    if (this.status !== "active" || !this.mayJudge) return;
    this.#statistics?.recordDrawdown(this.#figures);
    const { equity } = this;
    if (this.dayStart > 0 && equity < floorOf(this.dayStart, this.#dailyPct)) {
      this.#eliminate("dailyLoss");
    } else if (this.#isStatic && equity < floorOf(this.size, this.#maxPct)) {
      this.#eliminate("staticLoss");
    } else if (this.phase === "challenge") {
      const target = Math.round((this.size * this.terms.targetPct) / 100);
      if (this.profit >= target) this.#pass();
    }
  }

  #eliminate(ended: NonNullable<WeeksAccount["ended"]>): void {
    this.#endTrading();
    this.deferred = 0;
    this.earning = null;
    this.ended = ended;
    this.status = "eliminated";
  }

  /** Cancels the resting entries. The entries stay while the position is short, because then they only reduce it. */
  #cancelEntries(): void {
    if (this.held("BTCUSD")?.sign !== -1) this.entries = 0;
  }

  #endTrading(): void {
    for (const position of this.positions) this.#exit(position);
    this.entries = 0;
  }

  /** Closes the position when the price has reached its stop. This does not depend on the prices of other pairs. */
  #stop(position: ModelPosition): void {
    const { pair, sign, stop } = position;
    if (this.status !== "active" || stop === null || !this.#prices.isTradable(pair)) return;
    if (sign * this.#prices.priceOf(pair) > sign * stop) return;
    this.#exit(position);
    this.idleSinceMs = this.#prices.nowMs;
  }

  #exit(position: ModelPosition): void {
    this.cash += this.#prices.openPnlOf(position) - this.#prices.feeOf(position);
    this.positions = this.positions.filter((one) => one !== position);
  }

  get #isPro(): boolean {
    return this.phase.startsWith("proC") || this.phase === "proFunded";
  }

  get #isStatic(): boolean {
    return !this.#isPro && this.terms.isStatic;
  }

  get #split(): number {
    return this.#isPro ? (this.#pro?.split ?? 1) : this.terms.split;
  }

  get #dailyPct(): number {
    const pro = this.#pro;
    if (!this.#isPro || pro === null) return this.terms.dailyPct;
    return this.phase === "proFunded" ? pro.fundedDailyPct : pro.dailyPct;
  }

  get #maxPct(): number {
    if (this.#isPro) return this.#pro?.maxPct ?? 0;
    return this.phase === "challenge" ? this.terms.challengeMaxPct : this.terms.fundedMaxPct;
  }
}

/** The lowest equity that does not breach a limit of this percentage. */
function floorOf(anchor: number, pct: number): number {
  return anchor - Math.floor((anchor * pct) / 100);
}
