import {
  type AccountId,
  type AccountState,
  evolve,
  type NewAction,
  type OrderUuid,
  orderUuid,
  price,
  ratio,
  type TraderCommand,
  unixMs,
} from "@propgate/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deepenedCount, SEED } from "../../../../test/environment/depth.ts";
import { until } from "../../../../test/eventually.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { rebuildJournal } from "../../../ledger/src/trading/journal/rebuild-journal.ts";
import { boardCandles } from "../../../market/src/prices/candles/memory-candles.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { type ModelAccount, type ModelAction, ScalesModel } from "../testing/scales-model.ts";
import { AAPL, newDividend, newSplit, SHARE_CATALOGUE } from "../testing/share-market.ts";
import {
  createSharedTape,
  type SharedTape,
  type ShareNode,
  startShareNode,
} from "../testing/share-node.ts";

const START = unixMs(Date.parse("2026-01-05T12:00:00Z"));
const FIRST_PRICE = 40;
/** Quantities are multiples of this number of shares, so that repeated splits of 7:3 keep them exact. */
const SHARES_STEP = 27;
const VALUE_MAX = 12_000;
const ACTIONS_MAX = 3;
/** The distance of a trailing stop that no price reaches, as a share of the best price. */
const WIDE = 0.4;

interface OrderStep {
  readonly kind: "market" | "limit" | "edit" | "trail";
  /** The time without a price before the order. */
  readonly afterMs: number;
  readonly account: 0 | 1;
  readonly size: number;
}

type Step =
  | { readonly kind: "price"; readonly pct: number; readonly isFormer: boolean }
  | { readonly kind: "pass"; readonly ms: number }
  | OrderStep
  | {
      readonly kind: "announce";
      /** The time without a price before the announcement. */
      readonly afterMs: number;
      readonly ratio: string | null;
      readonly inMs: number;
      readonly isAgain: boolean;
      readonly isJobLate: boolean;
    }
  | { readonly kind: "restart"; readonly how: "killed" | "stopped" | "other node" };

const account = fc.constantFrom<0 | 1>(0, 1);
const size = fc.integer({ min: 1, max: 6 });
const ordered = (kind: OrderStep["kind"]) =>
  fc.record({ kind: fc.constant(kind), afterMs: fc.constantFrom(1, 4_000), account, size });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant("price" as const),
        pct: fc.integer({ min: -40, max: 40 }),
        isFormer: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
      }),
    },
    fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.constantFrom(500, 10_000, 10_000, 15_000, 61_000),
    }),
    { weight: 2, arbitrary: ordered("market") },
    ordered("limit"),
    ordered("edit"),
    ordered("trail"),
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("announce" as const),
        afterMs: fc.constantFrom(1, 600, 6_000, 21_000),
        ratio: fc.constantFrom("4:1", "2:1", "3:2", "1:10", "7:3", null),
        inMs: fc.constantFrom(-20_000, -5_000, -2_000, -500, -1, 5_000, 10_000, 10_001, 15_000),
        isAgain: fc.boolean(),
        isJobLate: fc.boolean(),
      }),
    },
    fc.record({
      kind: fc.constant("restart" as const),
      how: fc.constantFrom("killed" as const, "stopped" as const, "other node" as const),
    }),
  ),
  { minLength: 12, maxLength: 36 },
);

/** One random test case (a life), which runs on a service and on the model. */
class ScalesLife {
  readonly #database: Database;
  readonly #tape: SharedTape;
  readonly #ids: AccountId[] = [];
  readonly #model = new ScalesModel(2, { price: FIRST_PRICE, atMs: START });
  #node: ShareNode;
  #nowMs: number = START;
  #count = 0;
  /** The product of the price moves since the start. It stays near 1, so that no account reaches a limit. */
  #drift = 1;
  /**
   * True when the job of the next corporate action runs only after the first price that follows the action's moment.
   */
  #isJobLate = false;
  #isOverdue = false;
  readonly tally = { accepted: 0, rejected: 0, carriedOut: 0, cancelled: 0, stops: 0, halts: 0 };

  constructor(
    database: Database,
    { tape, node }: { readonly tape: SharedTape; readonly node: ShareNode },
  ) {
    this.#database = database;
    this.#tape = tape;
    this.#node = node;
  }

  static async play(database: Database, life: readonly Step[]): Promise<ScalesLife["tally"]> {
    await database.query(
      "truncate accounts, journal, trades, payouts, daily_returns, corporate_actions, price_choices, quotes",
    );
    const tape = createSharedTape();
    const node = await startShareNode(database, { now: START, tape, seed: "first" });
    const one = new ScalesLife(database, { tape, node });
    await one.#begin();
    for (const step of life) await one.#take(step);
    await one.#end();
    return one.tally;
  }

  async #begin(): Promise<void> {
    this.#ids.push(await this.#node.open(), await this.#node.open());
    expect(await this.#node.send(FIRST_PRICE)).toBe(true);
    await this.#second();
    for (const place of [0, 1] as const) {
      await this.#take({ kind: "market", afterMs: 1, account: place, size: 1 });
    }
  }

  #start(seed: string): Promise<ShareNode> {
    const now = unixMs(this.#nowMs);
    return startShareNode(this.#database, { now, tape: this.#tape, seed });
  }

  async #take(step: Step): Promise<void> {
    await this.#pass(silenceOf(step));
    if (this.#isOverdue && step.kind !== "price" && step.kind !== "pass") await this.#second();
    switch (step.kind) {
      case "price":
        await this.#send(step);
        break;
      case "announce":
        await this.#announce(step);
        break;
      case "restart":
        await this.#restart(step.how);
        break;
      case "pass":
        break;
      case "market":
      case "limit":
      case "edit":
      case "trail":
        await this.#order(step);
    }
    await this.#compare();
  }

  /** Lets time pass. At the moment of each corporate action within this time the jobs run, unless they are late. */
  async #pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const due = this.#model.nextDue(untilMs);
      if (due === null) break;
      this.#model.applyAction(due);
      this.tally.carriedOut += 1;
      this.#setTime(Math.max(due.atMs, this.#nowMs));
      if (this.#isJobLate) this.#isOverdue = true;
      else await this.#second();
    }
    this.#setTime(untilMs);
  }

  #setTime(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#node.now = unixMs(nowMs);
  }

  async #second(): Promise<void> {
    if (this.#isOverdue) this.#isJobLate = false;
    this.#isOverdue = false;
    await this.#node.second();
    this.#model.lift();
  }

  async #send({ pct, isFormer: isWanted }: Step & { readonly kind: "price" }): Promise<void> {
    const factor = isWanted ? this.#model.formerFactor(this.#nowMs) : null;
    const isHigh = this.#drift > 1.15 && pct > 0;
    const isLow = this.#drift < 0.87 && pct < 0;
    const move = 1 + (isHigh || isLow ? -pct : pct) / 1_000;
    const sent = Number((this.#model.price * move * (factor ?? 1)).toPrecision(9));
    const isAccepted = this.#model.offer({ price: sent, atMs: this.#nowMs }, factor !== null);
    if (isAccepted) this.#drift *= move;
    this.tally[isAccepted ? "accepted" : "rejected"] += 1;
    expect(await this.#node.send(sent)).toBe(isAccepted);
    if (this.#model.isHalted) {
      this.tally.halts += 1;
      await until(() => this.#node.choices.isHalted(AAPL));
    }
    await this.#second();
  }

  async #announce(step: Step & { readonly kind: "announce" }): Promise<void> {
    if (this.#model.announced.length >= ACTIONS_MAX) return;
    this.#count += 1;
    const index = this.#count;
    const atMs = unixMs(this.#nowMs + step.inMs);
    const [newShares = 1, oldShares = 1] = (step.ratio ?? "").split(":").map(Number);
    const amount = Number((this.#model.price * 0.005).toPrecision(4));
    const action: ModelAction =
      step.ratio === null
        ? { kind: "dividend", index, atMs, amount }
        : { kind: "split", index, atMs, newShares, oldShares };
    const isAgain = step.ratio !== null && step.isAgain;
    const expected = this.#model.announce(action, { nowMs: this.#nowMs, isAgain });
    const made: NewAction =
      step.ratio === null ? newDividend(atMs, index, amount) : newSplit(atMs, index, step.ratio);
    expect((await this.#node.announce(made, isAgain)).slice(0, expected.length)).toBe(expected);
    if (expected !== "announced") return;
    if (step.inMs > 0) this.#isJobLate ||= step.isJobLate;
    else await this.#carryOutLate(action);
  }

  async #carryOutLate(action: ModelAction): Promise<void> {
    const before = this.#model.accounts.flatMap(({ orders }) => orders).length;
    this.#model.applyAction(action);
    this.tally.carriedOut += 1;
    this.tally.cancelled += before - this.#model.accounts.flatMap(({ orders }) => orders).length;
    await this.#second();
  }

  async #restart(how: (Step & { readonly kind: "restart" })["how"]): Promise<void> {
    await this.#second();
    if (how === "stopped") await this.#node.recordStops();
    expect(this.#node.faults).toEqual([]);
    this.#node = await this.#start(`start ${this.#nowMs}`);
    this.#model.restart();
    if (how === "other node") {
      await this.#node.carryOutActions();
      await this.#node.shards[0].followOthers();
    } else await this.#node.restore();
    await this.#compareBests();
  }

  /** Compares the best prices of stops. This records the best prices, so it is not done at every step. */
  async #compareBests(): Promise<void> {
    await this.#node.recordStops();
    for (const [place, model] of this.#model.accounts.entries()) {
      const known = await this.#stateOf(place);
      const shown = known.orders.map((order) =>
        order.kind === "bracket" ? order.bestPrice : null,
      );
      const wanted = model.orders.map(({ trail }) => trail?.best ?? null);
      expect(rounded(shown)).toEqual(rounded(wanted));
    }
  }

  async #stateOf(place: number): Promise<AccountState> {
    const id = this.#ids[place];
    const known = id && (await this.#node.cache.read({ accountId: id, version: 0 }));
    if (!known) throw new Error("an account that exists");
    return known.state;
  }

  async #order({ kind, account: place, size: drawn }: OrderStep): Promise<void> {
    const [model, id] = [this.#model.accounts[place], this.#ids[place]];
    if (model === undefined || id === undefined) return;
    this.#count += 1;
    const sign = place === 0 ? 1 : -1;
    const given = { model, id, sign, drawn, uuid: orderUuid(`${kind}-${this.#count}`) } as const;
    switch (kind) {
      case "market":
        return this.#market(given);
      case "limit":
        return this.#limit(given);
      case "edit":
        return this.#edit(given);
      case "trail":
        return this.#trail(given);
    }
  }

  async #market(given: Ordering): Promise<void> {
    const { model, id, sign, uuid } = given;
    const at = this.#model.price;
    const lots = SHARES_STEP * Math.floor(VALUE_MAX / at / SHARES_STEP);
    if (model.position !== null || lots === 0) return;
    const command = { ...orderOf(uuid, sign), type: "placeMarket", size: lotsOf(lots) };
    const isFresh = this.#model.isFresh(this.#nowMs);
    await this.#place(id, command, isFresh);
    if (!isFresh) return;
    model.open(sign, lots, { price: at, nowMs: this.#nowMs });
    // This stop never closes the position, and follows the best prices of the whole life.
    await this.#attach(given, WIDE);
  }

  async #limit({ model, id, sign, drawn, uuid }: Ordering): Promise<void> {
    const limit = this.#farLimit(sign, drawn);
    const lots = SHARES_STEP * drawn;
    await this.#place(id, { ...limitOf(uuid, sign, limit), size: lotsOf(lots) }, true);
    const placed = { id: uuid, setAtMs: this.#nowMs, limit, shares: lots, trail: null };
    model.orders = [...model.orders, placed];
  }

  async #edit({ model, id, sign, drawn }: Ordering): Promise<void> {
    const edited = model.orders.find((one) => one.limit !== null);
    if (edited === undefined) return;
    const limit = this.#farLimit(sign, drawn);
    const lots = Number(edited.shares.toPrecision(12));
    const content = { ...limitOf(orderUuid(edited.id), sign, limit), size: lotsOf(lots) };
    await this.#place(id, { type: "editOrder", replacement: content }, true);
    model.orders = model.orders.map((one) =>
      one === edited ? { ...one, limit, setAtMs: this.#nowMs } : one,
    );
  }

  async #trail(given: Ordering): Promise<void> {
    if (given.model.position === null || !this.#model.isFresh(this.#nowMs)) return;
    await this.#attach(given, given.drawn / 100);
  }

  /** Attaches a trailing stop of the whole position. */
  async #attach({ model, id, sign, uuid: after }: Ordering, share: number): Promise<void> {
    const uuid = orderUuid(`${after}-trail`);
    const trailing = { kind: "percent", ratio: ratio(share) };
    const legs = [{ stopLoss: null, takeProfit: null, trailing, size: null }];
    await this.#place(id, { ...orderOf(uuid, sign), type: "placeBracket", legs }, true);
    const trail = { share, best: this.#model.price };
    const placed = { id: uuid, setAtMs: this.#nowMs, limit: null, shares: 0, trail };
    model.orders = [...model.orders, placed];
  }

  /** A limit price that no price reaches. */
  #farLimit(sign: 1 | -1, drawn: number): number {
    return Number((this.#model.price * (1 - sign * (0.35 + drawn / 40))).toPrecision(6));
  }

  async #place(id: AccountId, command: object, isExpected: boolean): Promise<void> {
    const placed = await this.#node.network.carryOut(id, command as TraderCommand, {
      by: "operator",
    });
    if (placed.ok !== isExpected) throw new Error(JSON.stringify({ command, placed }));
  }

  async #compare(): Promise<void> {
    for (const [place, model] of this.#model.accounts.entries()) {
      const id = this.#ids[place];
      if (id === undefined) continue;
      const read = await this.#node.network.account({ accountId: id, version: 0 });
      if (!read.ok) throw new Error("an account that can be read");
      const { equity } = read.value.snapshot;
      expect(equity / 1_000_000).toBeCloseTo(model.equityAt(this.#model.price), 3);
    }
    if (!this.#isOverdue) await this.#compareHoldings();
  }

  async #compareHoldings(): Promise<void> {
    for (const [place, model] of this.#model.accounts.entries()) {
      const { status, positions, orders } = await this.#stateOf(place);
      expect([status, positions.length]).toEqual(["active", model.position === null ? 0 : 1]);
      const [position] = positions;
      if (position !== undefined && model.position !== null) {
        expect(position.quantity).toBe(Math.round(model.position.shares * 100_000));
        expect(position.averageEntryPrice).toBeCloseTo(model.position.entry, 6);
      }
      const shown = orders.map((order) => (order.kind === "bracket" ? null : order.limitPrice));
      const wanted = model.orders.map(({ limit }) => limit);
      expect(rounded(shown)).toEqual(rounded(wanted));
    }
  }

  /** Compares the tape and a candle with the model, and the journals with the stored states. */
  async #end(): Promise<void> {
    this.tally.stops = this.#model.accounts.reduce((sum, { stops }) => sum + stops, 0);
    const { accepted } = this.#model;
    expect(this.#tape.quotes.map(({ bid, atMs }) => [bid, atMs])).toEqual(
      accepted.map(({ price: bid, atMs }) => [bid, atMs]),
    );
    const candles = boardCandles(this.#node.board);
    await this.#pass(1);
    const before = accepted.length;
    await this.#send({ kind: "price", pct: 1, isFormer: true });
    await this.#send({ kind: "price", pct: 1, isFormer: false });
    const since = accepted.slice(before).map((known) => known.price);
    const [candle] = await candles.list({ pair: AAPL, interval: "1d", after: null, limit: 1 });
    expect(candle?.mid.high ?? null).toBe(since.length === 0 ? null : Math.max(...since));
    const all = {
      database: this.#database,
      evolve,
      instruments: SHARE_CATALOGUE,
      which: "all",
    } as const;
    expect(await rebuildJournal({ ...all, write: false })).toMatchObject({ different: [] });
    expect(this.#node.faults).toEqual([]);
  }
}

function silenceOf(step: Step): number {
  if (step.kind === "pass") return step.ms;
  return "afterMs" in step ? step.afterMs : 1;
}

interface Ordering {
  readonly model: ModelAccount;
  readonly id: AccountId;
  readonly sign: 1 | -1;
  readonly drawn: number;
  readonly uuid: OrderUuid;
}

function orderOf(uuid: OrderUuid, sign: 1 | -1) {
  const direction = sign === 1 ? "long" : "short";
  return { orderUuid: uuid, pair: AAPL, direction, legs: [] } as const;
}

function limitOf(uuid: OrderUuid, sign: 1 | -1, limit: number) {
  const order = { ...orderOf(uuid, sign), limitPrice: price(limit), reduceOnly: false };
  return { ...order, type: "placeLimit" } as const;
}

function lotsOf(lots: number) {
  return { kind: "quantity", lots } as const;
}

function rounded(values: readonly (number | null)[]): readonly (string | null)[] {
  return values.map((value) => value?.toPrecision(9) ?? null);
}

await describeOnEachDatabase("prices, positions and orders in one scale", (database) => {
  test("every life is as the sentences about splits and dividends say [D13.formerScale] [D13.oneScale] [D13.lateAnnouncement]", async () => {
    const sum = { accepted: 0, rejected: 0, carriedOut: 0, cancelled: 0, stops: 0, halts: 0 };
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (life) => {
        const tally = await ScalesLife.play(database(), life);
        lives += 1;
        for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += tally[key];
      }),
      { numRuns: deepenedCount(1_500, 20), seed: SEED },
    );
    // The random lives contain the cases that the test compares.
    expect(Math.min(sum.accepted, sum.rejected, sum.carriedOut)).toBeGreaterThan(lives / 2);
    expect(Math.min(sum.stops, sum.halts)).toBeGreaterThan(lives / 20);
  });
});
