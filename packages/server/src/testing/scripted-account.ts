import { ACCOUNT_PRO } from "@propgate/contract";
import {
  type AccountState,
  accountId,
  accountSnapshot,
  type Command,
  type DailyReturn,
  type Direction,
  decide,
  type Event,
  endedDayReturn,
  evolve,
  type Instruments,
  leverage,
  type OrderUuid,
  orderUuid,
  type ProTerms,
  pairId,
  percent,
  ratio,
  roundUsd,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { AccountReading } from "../../../ledger/src/trading/network/port.ts";
import { TEST_OWNER, TEST_TERMS } from "./counting-decider.ts";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";
import { madeQuote } from "./made-quote.ts";

const DAY_MS = 86_400_000;
const INSTRUMENTS: Instruments = madeCatalogue(
  madeInstrument("EURUSD", { assetClass: "forex", lotSize: 100_000 }),
);

/** The terms of a pro account of 200,000 USD with the objectives of the service's own program. */
export const PRO_TERMS: ProTerms = {
  ...TEST_TERMS,
  programId: "pro",
  variant: "pro",
  size: roundUsd(200_000),
  tier: "pro",
  challenge: { profitTargetPct: percent(6), dailyLossPct: percent(5), maxLossPct: percent(8) },
  funded: { profitTargetPct: null, dailyLossPct: percent(5), maxLossPct: percent(8) },
  portfolioCap: leverage(50),
  objectives: {
    returnRatio: ratio(0.06),
    calmar: ratio(1.75),
    consistency: ratio(0.2),
    tradingDays: 90,
    countedDayGain: ratio(0.015),
    leastDrawdown: ratio(0.001),
  },
  challengePayoutScale: ratio(1),
};

export const PRO_OFFER = { type: "offerPro", terms: PRO_TERMS } as const;

/**
 * An account that a test drives step by step on the real network, without a service. It trades EURUSD, which pays no
 * fee. Times have the form `2026-01-05T09:00`, in UTC.
 */
export class ScriptedAccount {
  #state: AccountState | null = null;
  #now: UnixMs;
  #price: number;
  #orders = 0;
  readonly #dailyReturns: DailyReturn[] = [];

  /** Opens a classic account of 100,000 USD. */
  constructor(time: string, { id, price }: { readonly id: string; readonly price: number }) {
    this.#now = timeOf(time);
    this.#price = price;
    this.run({
      type: "openAccount",
      accountId: accountId(id),
      ownerId: TEST_OWNER,
      terms: TEST_TERMS,
      provisioned: true,
    });
  }

  /** Moves time and sets the price. Each day that ends in this time ends at the former price. */
  at(time: string, price = this.#price): void {
    const until = timeOf(time);
    for (let midnight = nextMidnight(this.#now); midnight <= until; midnight += DAY_MS) {
      this.#now = unixMs(midnight);
      this.run({ type: "passTime" });
    }
    this.#now = until;
    this.#price = price;
    this.run({ type: "settlePrices" });
  }

  order(direction: Direction, lots: number): void {
    const size = { kind: "quantity", lots } as const;
    this.run({
      type: "placeMarket",
      ...this.#onPair(),
      direction,
      size,
      legs: [],
      reduceOnly: false,
    });
  }

  close(): void {
    this.run({ type: "closePair", ...this.#onPair() });
  }

  run(command: Command): void {
    const decision = decide(this.#state, command, this.#moment());
    if (!decision.ok) throw new Error(`refused: ${decision.refusal.code}`);
    for (const event of decision.value) this.#take(event);
  }

  /** The account as the network shows it. */
  reading(): AccountReading {
    const snapshot = accountSnapshot(this.#open(), this.#moment());
    if (!snapshot.ok) throw new Error(`no price of ${snapshot.refusal.pair}`);
    return {
      snapshot: snapshot.value,
      dailyReturns: this.#dailyReturns,
      ownerAccounts: { active: 2, max: 5 },
      stale: false,
      generatedAtMs: this.#now,
      version: 1,
    };
  }

  #take(event: Event): void {
    const day = this.#state === null ? null : endedDayReturn(this.#state, event);
    if (day !== null) this.#dailyReturns.push(day);
    this.#state = evolve(this.#state, event);
  }

  #open(): AccountState {
    if (this.#state === null) throw new Error("an account before its events");
    return this.#state;
  }

  #onPair(): { readonly orderUuid: OrderUuid; readonly pair: ReturnType<typeof pairId> } {
    this.#orders += 1;
    return { orderUuid: orderUuid(`order-${this.#orders}`), pair: pairId("EURUSD") };
  }

  #moment() {
    const quote = madeQuote("EURUSD", this.#price, this.#price, this.#now);
    return { now: this.#now, quotes: new Map([[quote.pair, quote]]), instruments: INSTRUMENTS };
  }
}

/** The pro account of the contract's examples, `ACCOUNT_PRO`, after each of its trades was made. */
export function scriptedProChallenge(): ScriptedAccount {
  const account = new ScriptedAccount("2026-01-02T08:00", {
    id: ACCOUNT_PRO.accountId,
    price: 1.1,
  });
  account.at("2026-01-02T09:00");
  account.run(PRO_OFFER);
  account.order("long", 2);
  account.at("2026-01-02T12:30", 1.105);
  account.close();
  account.at("2026-01-05T09:00", 1.1);
  account.order("long", 2);
  account.at("2026-01-05T10:00", 1.09196);
  account.at("2026-01-05T12:30", 1.11255);
  account.close();
  account.order("long", 1);
  account.at("2026-01-05T16:00", 1.10755);
  account.close();
  account.at("2026-01-06T09:00");
  account.order("short", 2.01);
  account.at("2026-01-06T12:30", 1.1025);
  account.close();
  account.at("2026-01-07T10:00");
  return account;
}

/** A classic account that an operator promoted out of its challenge. */
export function scriptedFundedAccount(): ScriptedAccount {
  const account = new ScriptedAccount("2026-01-05T08:00", {
    id: ACCOUNT_PRO.accountId,
    price: 1.1,
  });
  account.run({ type: "promote" });
  return account;
}

function timeOf(time: string): UnixMs {
  return unixMs(Date.parse(`${time}Z`));
}

function nextMidnight(now: UnixMs): number {
  return Math.floor(now / DAY_MS) * DAY_MS + DAY_MS;
}
