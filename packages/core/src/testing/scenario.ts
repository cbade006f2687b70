/**
 * Runs a story on the network, one command per line. After each command the state is computed again from the whole
 * journal, so every story also tests the journal.
 */

import { equityOf } from "../account/equity.ts";
import { assert } from "../assert.ts";
import { endedDayReturn } from "../evolve/daily-returns.ts";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, type PairId, pairId } from "../ids.ts";
import { actionId, type CorporateAction } from "../market/corporate-action.ts";
import type { AccountClass, Instrument } from "../market/instrument.ts";
import type { Quote, QuoteStanding } from "../market/quote.ts";
import { decide } from "../network/decide.ts";
import { accrualOf, sumUnpaidTotals } from "../payouts/accrual.ts";
import { drawdownOf } from "../rules/registry.ts";
import { proTrackFigures } from "../snapshot/pro-track-figures.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Command } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { type PayoutStatus, payoutId } from "../state/payout.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import type { Terms } from "../state/terms.ts";
import type { Trade } from "../state/trade.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import {
  leverage,
  microUsd,
  percent,
  price,
  type Ratio,
  ratio,
  roundUsd,
  type UnixMs,
  unixMs,
} from "../units.ts";
import { BestPriceTracker } from "./best-price-tracker.ts";
import { CLASSIC_TERMS, createTestProTerms, TEST_CATALOGUE } from "./catalogue.ts";
import { CommandWords, type ScenarioLine } from "./scenario-line.ts";
import { orderCommand } from "./scenario-orders.ts";
import {
  accrualPhrase,
  causePhrase,
  isoMinute,
  limitPhrase,
  moneyPhrase,
  orderPhrase,
  phrasesOf,
  positionPhrase,
  proPhrase,
  refusalPhrase,
  tradePhrase,
} from "./scenario-phrases.ts";

/** Monday, 2026-01-05 at 15:00 UTC, when every market of the catalogue is open. */
const SCENARIO_START = unixMs(Date.parse("2026-01-05T15:00:00Z"));

/** One account that carries out the lines of a story. */
export class Scenario {
  #state: AccountState | null = null;
  #now: UnixMs = SCENARIO_START;
  #ordersSoFar = 0;
  #instruments = TEST_CATALOGUE;
  readonly #quotes = new Map<PairId, Quote>();
  readonly #funding = new Map<PairId, ReadonlyMap<UnixMs, Ratio>>();
  readonly #actions = new Map<PairId, readonly CorporateAction[]>();
  readonly #bests = new BestPriceTracker();
  readonly #journal: Event[] = [];
  readonly #returns: number[] = [];

  /** Runs the line and returns its result, in the same form as an expected result. */
  run(line: ScenarioLine): string {
    const [verb = "", ...rest] = line.words;
    const words = new CommandWords(rest);
    switch (verb) {
      case "account":
        return this.#submit(openAccount(words));
      case "time":
        this.#now = timeOf(words.at(0), this.#now);
        return this.#submit({ type: "passTime" });
      case "clock":
        this.#now = timeOf(words.at(0), this.#now);
        return "nothing";
      case "price":
        this.#quote(words);
        return this.#state === null ? "nothing" : this.#submit({ type: "settlePrices" });
      case "quote":
        this.#quote(words);
        return "nothing";
      case "catalogue":
        this.#change(words);
        return "nothing";
      case "standing":
        this.#setStanding(words);
        return "nothing";
      case "order":
        this.#ordersSoFar += 1;
        return this.#submit(orderCommand(words, orderUuid(`o${this.#ordersSoFar}`)));
      case "operator":
        return this.#submit(operatorCommand(words, this.#state));
      case "days":
        return this.#passDays(words);
      case "funding":
        this.#setFundingRate(words);
        return "nothing";
      case "split":
      case "dividend":
        this.#announce(verb, words);
        return this.#submit({ type: "passTime" });
      default:
        return this.#read(verb, words);
    }
  }

  #read(verb: string, words: CommandWords): string {
    const state = this.#bests.accountWithBests(this.#open(), this.#world());
    const equity = equityOf(state, this.#moment());
    switch (verb) {
      case "balance":
        return moneyPhrase(balanceOf(state));
      case "equity":
        return equity.ok ? moneyPhrase(equity.value) : `unknown ${equity.refusal.pair}`;
      case "status":
        return state.elimination === null
          ? state.status
          : `${state.status} ${causePhrase(state.elimination.cause)}`;
      case "ended":
        return state.elimination === null ? "no" : isoMinute(state.elimination.atMs);
      case "position":
        return positionPhrase(state.positions.find(({ pair }) => pair === words.at(0)));
      case "pro":
        assert(equity.ok, "all open positions have a price");
        return proPhrase(proTrackFigures(state, equity.value, this.#moment()));
      case "accrual":
        return this.#accrual(state);
      case "returns":
        return this.#returns.map(rounded).join(", ") || "none";
      case "orders":
        return state.orders.map(orderPhrase).join(", ") || "none";
      case "trades":
        return this.#trades().map(tradePhrase).join(", ") || "none";
      case "limits": {
        assert(equity.ok, "all open positions have a price");
        return drawdownOf(state, equity.value).limits.map(limitPhrase).join(" ");
      }
      default:
        throw new Error(`no such line: ${verb}`);
    }
  }

  #submit(command: Command): string {
    const world = this.#world();
    const decision = decide(this.#state, command, { ...world, bests: this.#bests.bests });
    if (!decision.ok) return refusalPhrase(decision.refusal);
    let before = this.#state;
    for (const event of decision.value) {
      const day = before === null ? null : endedDayReturn(before, event);
      if (day !== null) this.#returns.push(day.percent);
      before = evolve(before, event);
    }
    this.#journal.push(...decision.value);
    this.#state = this.#journal.reduce<AccountState | null>(evolve, null);
    this.#bests.observe(this.#state, world);
    if (command.type === "settlePrices") this.#bests.observeQuotes(this.#open(), world);
    return phrasesOf(decision.value);
  }

  /**
   * Carries out `days 5 EURUSD +0.003`: moves to the next 00:00 UTC five times, and moves the price of the pair each
   * time.
   */
  #passDays(words: CommandWords): string {
    const happened: Event[] = [];
    const pair = pairId(words.at(1));
    for (let day = 0; day < Number(words.at(0)); day += 1) {
      this.#now = nextUtcMidnight(this.#now);
      const start = this.#journal.length;
      this.#submit({ type: "passTime" });
      const before = this.#quotes.get(pair);
      assert(before !== undefined, "the pair has a price");
      const moved = price(Number((before.bid + Number(words.at(2))).toFixed(6)));
      this.#quotes.set(pair, { ...before, bid: moved, ask: moved, atMs: this.#now });
      this.#submit({ type: "settlePrices" });
      happened.push(...this.#journal.slice(start).filter(({ type }) => type !== "dayEnded"));
    }
    return phrasesOf(happened);
  }

  #accrual(state: AccountState): string {
    const accrual = accrualOf(state, this.#moment());
    if (!accrual.ok) return `unknown ${accrual.refusal.pair}`;
    const unpaid = sumUnpaidTotals(state);
    const deferred = state.pro?.deferred ?? 0;
    return [
      accrual.value === null ? "none" : accrualPhrase(accrual.value),
      ...(unpaid.amount > 0 ? [`unpaid ${moneyPhrase(unpaid.amount)}`] : []),
      ...(deferred > 0 ? [`deferred ${moneyPhrase(microUsd(deferred))}`] : []),
    ].join(", ");
  }

  #quote(words: CommandWords): void {
    const pair = pairId(words.at(0));
    const bid = price(Number(words.at(1)));
    const ask = price(Number(words.from(2)[0] ?? words.at(1)));
    // A story moves its clock itself, so its quotes have the standing `given`, like those of a sandbox.
    this.#quotes.set(pair, { pair, bid, ask, atMs: this.#now, standing: "given" });
  }

  /**
   * Carries out `catalogue BTCUSD blocked`: makes the pair `blocked` or `retired`, or moves it to the class `forex`, as
   * a restart with another catalogue does.
   */
  #change(words: CommandWords): void {
    const pair = pairId(words.at(0));
    const known = this.#instruments.get(pair);
    assert(known !== undefined, "the catalogue has the pair");
    const changes: Readonly<Record<string, Partial<Instrument>>> = {
      blocked: { blocked: true },
      retired: { blocked: true, retired: true },
      forex: { assetClass: "forex" },
    };
    const changed = { ...known, ...changes[words.at(1)] };
    this.#instruments = new Map(this.#instruments).set(pair, changed);
  }

  /**
   * Carries out `standing BTCUSD halted`: sets the standing of the pair's quote to `halted`, `stored` or `given`, or to
   * `sent` for a quote that a source has just sent.
   */
  #setStanding(words: CommandWords): void {
    const quote = this.#quotes.get(pairId(words.at(0)));
    assert(quote !== undefined, "the pair has a price");
    const standing = STANDINGS.find((known) => known === words.at(1));
    const { standing: _standing, ...sent } = quote;
    this.#quotes.set(quote.pair, standing === undefined ? sent : { ...sent, standing });
  }

  /** Carries out `funding BTCPERP 0.0001 at=2026-01-05T16:00Z`: sets the rate of that hour. */
  #setFundingRate(words: CommandWords): void {
    const pair = pairId(words.at(0));
    const hour = timeOf(words.namedValue("at") ?? "+0s", this.#now);
    const rates = new Map(this.#funding.get(pair)).set(hour, ratio(Number(words.at(1))));
    this.#funding.set(pair, rates);
  }

  /**
   * Carries out `split AAPL 4:1 at=2026-01-06T14:30Z` or `dividend AAPL 0.24`; without `at` the action is for the
   * present time.
   */
  #announce(kind: "split" | "dividend", words: CommandWords): void {
    const pair = pairId(words.at(0));
    const before = this.#actions.get(pair) ?? [];
    const id = actionId(`${pair}-${before.length + 1}`);
    const atMs = timeOf(words.namedValue("at") ?? "+0s", this.#now);
    const common = { id, pair, atMs, announcedAtMs: this.#now };
    const [newShares = 1, oldShares = 1] = words.at(1).split(":").map(Number);
    const action: CorporateAction =
      kind === "split"
        ? { ...common, kind, newShares, oldShares }
        : { ...common, kind, amount: Number(words.at(1)) };
    this.#actions.set(pair, [...before, action]);
  }

  #open(): AccountState {
    assert(this.#state !== null, "a scenario opens its account first");
    return this.#state;
  }

  /** The moment with its quotes in the scale of the account's holdings. The account's figures are computed from it. */
  #moment(): Moment {
    return this.#state === null ? this.#world() : momentOfHoldings(this.#state, this.#world());
  }

  #world(): Moment {
    const quotes = this.#quotes;
    return {
      now: this.#now,
      quotes,
      instruments: this.#instruments,
      actions: this.#actions,
      funding: this.#funding,
    };
  }

  #trades(): readonly Trade[] {
    return this.#journal.flatMap((event) => (event.type === "positionClosed" ? [event.trade] : []));
  }
}

/**
 * The command for the line `account 100000 static class=forex daily=3 cap=15 cooldown=1000 most=3 tier=pro group=30`.
 */
function openAccount(words: CommandWords): Command {
  const daily = words.number("daily") ?? 5;
  const size = roundUsd(Number(words.at(0)));
  const phase = { ...CLASSIC_TERMS.challenge, dailyLossPct: percent(daily) };
  const group = words.number("group");
  const terms: Terms = {
    ...CLASSIC_TERMS,
    size,
    criteria: words.at(1) === "trailing" ? "trailing" : "static",
    profitSplit: ratio(words.number("split") ?? CLASSIC_TERMS.profitSplit),
    assetClass: classOf(words.namedValue("class")),
    tier: words.namedValue("tier") === "pro" ? "pro" : "tier1",
    challenge: phase,
    portfolioCap: leverage(words.number("cap") ?? CLASSIC_TERMS.portfolioCap),
    classCaps: {
      ...CLASSIC_TERMS.classCaps,
      crypto: leverage(words.number("cryptoCap") ?? CLASSIC_TERMS.classCaps.crypto),
      forex: leverage(words.number("forexCap") ?? CLASSIC_TERMS.classCaps.forex),
    },
    groupCaps: group === null ? {} : { currency: leverage(group) },
    cooldownMs: words.number("cooldown") ?? 0,
    ...(words.namedValue("near") === null ? {} : { nearLevels: [50, 75, 90].map(percent) }),
    mostRestingOrders: words.number("most") ?? CLASSIC_TERMS.mostRestingOrders,
  };
  const provisioned = words.from(2)[0] !== "provisioning";
  const ids = { accountId: accountId("a1"), ownerId: ownerId("w1") };
  return { type: "openAccount", ...ids, terms, provisioned };
}

const STANDINGS: readonly QuoteStanding[] = ["halted", "stored", "given"];

const CLASSES: readonly AccountClass[] = ["crypto", "forex", "indices", "equities", "commodities"];

function classOf(word: string | null): AccountClass {
  return CLASSES.find((known) => known === word) ?? "allMarkets";
}

/**
 * The command for a line such as `operator offer 200000`, `operator payout 2026-01-12T00:00Z paid rail=bank` or
 * `operator promote`.
 */
function operatorCommand(words: CommandWords, state: AccountState | null): Command {
  switch (words.at(0)) {
    case "eliminate":
      return { type: "eliminateAccount", reason: words.from(1).join(" ") };
    case "close":
      return { type: "closeAccount", ...(words.from(1)[0] === "forfeit" ? { forfeit: true } : {}) };
    case "provision":
      return { type: "provisionAccount" };
    case "promote":
      return { type: "promote" };
    case "pause":
      return { type: "suspendSwitch" };
    case "resume":
      return { type: "resumeSwitch" };
    case "offer": {
      const standard = state?.standardSize ?? CLASSIC_TERMS.size;
      const terms = createTestProTerms(roundUsd(Number(words.at(1))), standard);
      const profitSplit = ratio(words.number("split") ?? terms.profitSplit);
      return { type: "offerPro", terms: { ...terms, profitSplit } };
    }
    case "payout":
      return {
        type: "recordPayout",
        payoutId: payoutId(accountId("a1"), unixMs(Date.parse(words.at(1)))),
        status: PAYOUT_STATUSES.find((known) => known === words.at(2)) ?? "pending",
        rail: words.namedValue("rail"),
        provider: words.namedValue("provider"),
        reference: words.namedValue("reference"),
        paidAmount: null,
      };
    default:
      throw new Error(`no such operator's command: ${words.at(0)}`);
  }
}

const PAYOUT_STATUSES: readonly PayoutStatus[] = ["pending", "processing", "paid", "failed"];

/** Parses a time such as `2026-01-05T22:00Z`, or a span such as `+90s`, `+5m`, `+2h` or `+1d` after `now`. */
function timeOf(word: string, now: UnixMs): UnixMs {
  const step = /^\+(\d+)([smhd])$/.exec(word);
  if (step === null) return unixMs(Date.parse(word));
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[step[2] ?? "s"] ?? 0;
  return unixMs(now + Number(step[1]) * unitMs);
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}
