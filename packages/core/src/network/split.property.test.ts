import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings, scaledCount } from "../../../../test/environment/depth.ts";
import { equityOf } from "../account/equity.ts";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId } from "../ids.ts";
import {
  actionId,
  type CorporateAction,
  type CorporateActions,
} from "../market/corporate-action.ts";
import type { Quote } from "../market/quote.ts";
import { drawdownOf } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Command } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import { BestPriceTracker } from "../testing/best-price-tracker.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { DueModel } from "../testing/lives/due-model.ts";
import { LedgerModel } from "../testing/lives/ledger-model.ts";
import { type MicroUsd, price, ratio, type UnixMs, unixMs } from "../units.ts";
import { decide } from "./decide.ts";

const AAPL = pairId("AAPL");
const START = Date.parse("2026-01-05T15:00:00Z");
const STEP_MS = 10_000;

/**
 * A step of a life. Prices are whole cents in the scale before a split. Sizes are whole multiples of six shares, so
 * that every ratio of `ratios` converts them without rounding.
 */
interface Step {
  readonly cents: number;
  readonly order: {
    readonly kind: "market" | "limit" | "stopLimit" | "bracket" | "flat" | "none";
    readonly direction: Direction;
    readonly sixes: number;
    readonly away: number;
    readonly stop: number | null;
    readonly target: number | null;
    readonly trail: number | null;
    readonly half: boolean;
  };
}

const distance = fc.option(fc.integer({ min: 20, max: 300 }), { nil: null });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    cents: fc.integer({ min: 1_800, max: 2_200 }),
    order: fc.record({
      kind: fc.constantFrom("market", "market", "limit", "stopLimit", "bracket", "flat", "none"),
      direction: fc.constantFrom<Direction>("long", "short"),
      sixes: fc.integer({ min: 1, max: 10 }),
      away: fc.integer({ min: -100, max: 100 }),
      stop: distance,
      target: distance,
      trail: distance,
      half: fc.boolean(),
    }),
  }),
  { minLength: 4, maxLength: 24 },
);
const ratios = fc.constantFrom([4, 1], [2, 1], [20, 1], [3, 2], [1, 10], [1, 4], [7, 3]);

/** The scale in which a life trades. Quotes and orders use the same conversion of prices. */
interface Scale {
  readonly newShares: number;
  readonly oldShares: number;
}

const OLD: Scale = { newShares: 1, oldShares: 1 };

function level(cents: number, { newShares, oldShares }: Scale): number {
  return Number((((cents / 100) * oldShares) / newShares).toPrecision(12));
}

class OneLife {
  state: AccountState;
  readonly fills: Event[] = [];
  readonly #ledger = new LedgerModel();
  readonly #bests = new BestPriceTracker();
  readonly #due = new DueModel();
  readonly #quotes = new Map<typeof AAPL, Quote>();
  readonly #actions = new Map<typeof AAPL, readonly CorporateAction[]>();
  now: UnixMs = unixMs(START);

  constructor() {
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    const opening = {
      type: "openAccount",
      ...ids,
      terms: CLASSIC_TERMS,
      provisioned: true,
    } as const;
    const opened = decide(null, opening, this.#world());
    const state = opened.ok ? opened.value.reduce<AccountState | null>(evolve, null) : null;
    if (state === null || !opened.ok) throw new Error("an account opens");
    for (const event of opened.value) this.#ledger.take({ event, moment: this.#world() });
    this.state = state;
  }

  #world(): Moment {
    const actions: CorporateActions = this.#actions;
    return { now: this.now, quotes: this.#quotes, instruments: TEST_CATALOGUE, actions };
  }

  quote(cents: number, scale: Scale): void {
    const bid = price(level(cents, scale));
    const ask = price(level(cents + 1, scale));
    this.#quotes.set(AAPL, { pair: AAPL, bid, ask, atMs: this.now });
  }

  get hasPrice(): boolean {
    return this.#quotes.size > 0;
  }

  /** Carries out a step: a quote, its effects and the step's order. Returns the answer to the order. */
  take(step: Step, index: number, scale: Scale): string {
    this.quote(step.cents, scale);
    this.submit({ type: "settlePrices" });
    return this.submit(commandOf(step, index, scale));
  }

  split({ newShares, oldShares }: Scale): void {
    const action = {
      id: actionId("s"),
      pair: AAPL,
      atMs: this.now,
      announcedAtMs: this.now,
      newShares,
      oldShares,
    } as const;
    this.#actions.set(AAPL, [{ ...action, kind: "split" }]);
  }

  pay(amount: number): void {
    const dividend = {
      id: actionId("d"),
      pair: AAPL,
      atMs: this.now,
      announcedAtMs: this.now,
      amount,
    } as const;
    this.#actions.set(AAPL, [{ ...dividend, kind: "dividend" }]);
  }

  submit(command: Command): string {
    const world = this.#world();
    const decision = decide(this.state, command, { ...world, bests: this.#bests.bests });
    if (!decision.ok) return decision.refusal.code;
    this.#due.take(decision.value);
    for (const event of decision.value) {
      this.#ledger.take({ event, moment: this.moment });
      this.state = evolve(this.state, event);
    }
    this.#bests.observe(this.state, world);
    if (command.type === "settlePrices") this.#bests.observeQuotes(this.state, world);
    this.#ledger.check(this.state, this.moment);
    this.fills.push(...decision.value.filter(({ type }) => type === "orderFilled"));
    return "done";
  }

  get moment(): Moment {
    return momentOfHoldings(this.state, this.#world());
  }

  equity(): MicroUsd {
    const equity = equityOf(this.state, this.moment);
    if (!equity.ok) throw new Error("a known price");
    return equity.value;
  }
}

function commandOf({ cents, order }: Step, index: number, scale: Scale): Command {
  const { kind, direction, half } = order;
  const uuid = orderUuid(`o${index}`);
  const lots = Number(((order.sixes * 6 * scale.newShares) / scale.oldShares).toPrecision(12));
  const up = direction === "long" ? 1 : -1;
  const at = (away: number) => price(level(cents + away, scale));
  const legsAt = (from: number, sign: number): readonly LegRequest[] => {
    const leg: LegRequest = {
      stopLoss: order.stop === null ? null : at(from - sign * order.stop),
      takeProfit: order.target === null ? null : at(from + sign * order.target),
      trailing: order.trail === null ? null : { kind: "value", value: level(order.trail, scale) },
      size: half ? { kind: "bracketPct", ratio: ratio(0.5) } : null,
    };
    return leg.stopLoss === null && leg.takeProfit === null && leg.trailing === null ? [] : [leg];
  };
  const entry = {
    orderUuid: uuid,
    pair: AAPL,
    direction,
    size: { kind: "quantity", lots },
  } as const;
  const limitPrice = at(order.away);
  switch (kind) {
    case "market":
      return { type: "placeMarket", ...entry, legs: legsAt(0, up), reduceOnly: false };
    case "limit":
      return { type: "placeLimit", ...entry, limitPrice, legs: [], reduceOnly: false };
    case "stopLimit": {
      const stopCondition = order.away > 0 ? "gte" : "lte";
      const stop = { stopPrice: at(order.away), stopCondition } as const;
      const beyond = at(order.away + up * 50);
      return {
        type: "placeStopLimit",
        ...entry,
        ...stop,
        limitPrice: beyond,
        legs: [],
        reduceOnly: false,
      };
    }
    case "bracket":
      return { type: "placeBracket", orderUuid: uuid, pair: AAPL, legs: legsAt(0, up) };
    case "flat":
      return { type: "closePair", orderUuid: uuid, pair: AAPL };
    case "none":
      return { type: "settlePrices" };
  }
}

describe("a split changes the scale and nothing else [D11.split] [D11.scale]", () => {
  test("a random life with a split equals the same life without it, scaled by hand", () => {
    let fills = 0;
    fc.assert(
      fc.property(
        steps,
        fc.nat({ max: 20 }),
        ratios,
        (life, when, [newShares = 1, oldShares = 1]) => {
          const splitsAt = Math.min(when, life.length - 1);
          fills += compareLives(life, { splitsAt, scale: { newShares, oldShares } });
        },
      ),
      propertySettings(400),
    );
    // Without enough fills the lives would compare nothing.
    expect(fills).toBeGreaterThan(scaledCount(2_000));
  });
});

test("a dividend moves equity by nothing at its moment, and the ledger agrees afterwards [D11.dividend]", () => {
  let paid = 0;
  fc.assert(
    fc.property(steps, fc.nat({ max: 20 }), (life, when) => {
      const one = new OneLife();
      for (const [index, step] of life.entries()) {
        one.now = unixMs(START + index * STEP_MS);
        if (index === Math.min(when, life.length - 1) && one.hasPrice) {
          const [equity, balance] = [one.equity(), balanceOf(one.state)];
          one.pay(0.35);
          one.submit({ type: "passTime" });
          expect(Math.abs(one.equity() - equity)).toBeLessThanOrEqual(WITHIN);
          paid += balanceOf(one.state) === balance ? 0 : 1;
        }
        one.take(step, index, OLD);
      }
    }),
    propertySettings(300),
  );
  expect(paid).toBeGreaterThan(scaledCount(100));
});

/**
 * Carries out the same steps on an account with a split and on one without. Returns the number of fills that were
 * compared.
 */
function compareLives(
  life: readonly Step[],
  { splitsAt, scale }: { readonly splitsAt: number; readonly scale: Scale },
): number {
  const [split, plain] = [new OneLife(), new OneLife()];
  for (const [index, step] of life.entries()) {
    for (const one of [split, plain]) one.now = unixMs(START + index * STEP_MS);
    if (index === splitsAt) expectSameEquity(split, scale);
    const now = index >= splitsAt ? scale : OLD;
    const answers = [
      [split, now],
      [plain, OLD],
    ] as const;
    const [one, other] = answers.map(([lived, at]) => lived.take(step, index, at));
    expect(one).toBe(other);
    expectAlike(split, plain, now);
  }
  return split.fills.length;
}

function expectSameEquity(life: OneLife, scale: Scale): void {
  const before = life.hasPrice ? life.equity() : null;
  life.split(scale);
  life.submit({ type: "passTime" });
  if (before !== null) expect(Math.abs(life.equity() - before)).toBeLessThanOrEqual(WITHIN);
}

/**
 * The largest accepted difference between the two lives, in micro dollars. Values in the two scales may be rounded
 * differently, once per fill and mark.
 */
const WITHIN = 5;

function expectAlike(split: OneLife, plain: OneLife, { newShares, oldShares }: Scale): void {
  expect(split.state.status).toBe(plain.state.status);
  const within = WITHIN * (1 + split.fills.length);
  expect(Math.abs(balanceOf(split.state) - balanceOf(plain.state))).toBeLessThanOrEqual(within);
  expect(Math.abs(split.equity() - plain.equity())).toBeLessThanOrEqual(within);
  const used = [split, plain].map((one) =>
    drawdownOf(one.state, one.equity()).limits.map(({ usedPct }) => usedPct),
  );
  for (const [index, usedPct] of (used[0] ?? []).entries()) {
    expect(usedPct).toBeCloseTo(used[1]?.[index] ?? Number.NaN, 6);
  }
  expect(split.fills.map(fillText)).toEqual(plain.fills.map(fillText));
  expect(split.state.orders.map(({ uuid }) => uuid)).toEqual(
    plain.state.orders.map(({ uuid }) => uuid),
  );
  expect(split.state.positions.map(({ quantity }) => quantity * oldShares)).toEqual(
    plain.state.positions.map(({ quantity }) => quantity * newShares),
  );
}

function fillText(event: Event): string {
  return event.type === "orderFilled" ? `${event.orderUuid} ${event.kind} ${event.effect}` : "";
}
