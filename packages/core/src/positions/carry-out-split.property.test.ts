import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings, scaledCount } from "../../../../test/environment/depth.ts";
import { equityOf } from "../account/equity.ts";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId } from "../ids.ts";
import { actionId, type CorporateAction, type Split } from "../market/corporate-action.ts";
import type { Quote } from "../market/quote.ts";
import { decide } from "../network/decide.ts";
import { previewOrder } from "../network/preview.ts";
import { accountSnapshot } from "../snapshot/account-snapshot.ts";
import type { AccountState } from "../state/account.ts";
import type { Command, PlaceMarket } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import type { Size } from "../state/requested-size.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { leverage, price, ratio, roundUsd, type UnixMs, unixMs } from "../units.ts";

const AAPL = pairId("AAPL");
const START = Date.parse("2026-01-05T15:00:00Z");
const STEP_MS = 10_000;
/** The largest exact number of 0.00001 shares. */
const LARGEST = 2n ** 53n - 1n;
/** The largest accepted difference in micro dollars, because values are rounded once per fill and mark. */
const MICRO_WITHIN = 5;

type Ratio = readonly [newShares: number, oldShares: number];

/** An account whose requests and due work may be refused, but must not throw. */
class SplitAccount {
  state: AccountState;
  now: UnixMs = unixMs(START);
  readonly #actions: CorporateAction[] = [];
  #quote: Quote;
  #orders = 0;

  constructor(at: number) {
    this.#quote = this.#quoteAt(at);
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    const opening = {
      type: "openAccount",
      ...ids,
      terms: CLASSIC_TERMS,
      provisioned: true,
    } as const;
    const opened = decide(null, opening, this.#world());
    const state = opened.ok ? opened.value.reduce<AccountState | null>(evolve, null) : null;
    if (state === null) throw new Error("an account opens");
    this.state = state;
  }

  #quoteAt(at: number): Quote {
    return { pair: AAPL, bid: price(at), ask: price(at), atMs: this.now };
  }

  #world(): Moment {
    const quotes = new Map([[AAPL, this.#quote]]);
    const actions = new Map([[AAPL, this.#actions]]);
    return { now: this.now, quotes, instruments: TEST_CATALOGUE, actions };
  }

  get #moment(): Moment {
    return momentOfHoldings(this.state, this.#world());
  }

  pass(): void {
    this.now = unixMs(this.now + STEP_MS);
  }

  quote(at: number): readonly Event[] {
    this.pass();
    this.#quote = this.#quoteAt(at);
    return this.submit({ type: "settlePrices" });
  }

  split([newShares, oldShares]: Ratio): readonly Event[] {
    this.pass();
    const id = actionId(`s${this.#actions.length}`);
    const split: Split = {
      kind: "split",
      id,
      pair: AAPL,
      atMs: this.now,
      announcedAtMs: this.now,
      newShares,
      oldShares,
    };
    this.#actions.push(split);
    return this.submit({ type: "passTime" });
  }

  submit(command: Command): readonly Event[] {
    const decision = decide(this.state, command, this.#world());
    if (!decision.ok) return [];
    this.state = decision.value.reduce<AccountState>(evolve, this.state);
    this.read();
    return decision.value;
  }

  order(order: Omit<PlaceMarket, "type" | "orderUuid" | "pair">): readonly Event[] {
    const command = { type: "placeMarket", ...this.next(), ...order } as const;
    previewOrder(this.state, command, this.#moment);
    return this.submit(command);
  }

  /** The id and pair of the next order. */
  next() {
    this.#orders += 1;
    return { orderUuid: orderUuid(`o${this.#orders}`), pair: AAPL };
  }

  /** Computes all figures of the account that a client reads. */
  read(): void {
    expect(accountSnapshot(this.state, this.#moment).ok).toBe(true);
  }

  equity(): number {
    const equity = equityOf(this.state, this.#moment);
    if (!equity.ok) throw new Error("a known price");
    return equity.value;
  }

  get position() {
    return this.state.positions.find(({ pair }) => pair === AAPL) ?? null;
  }
}

function legsAt(at: number, direction: Direction): readonly LegRequest[] {
  const sign = direction === "long" ? 1 : -1;
  const stop = { stopLoss: price(at * (1 - sign * 0.5)), takeProfit: null, trailing: null };
  return [
    { ...stop, size: { kind: "bracketPct", ratio: ratio(0.3) } },
    { ...stop, size: { kind: "bracketPct", ratio: ratio(0.7) } },
    { ...stop, stopLoss: null, trailing: { kind: "percent", ratio: ratio(0.4) }, size: null },
  ];
}

function commonDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : commonDivisor(other, one % other);
}

/** The quantities that a split leaves and pays out, in 0.00001 shares, computed from the text of the rules. */
function expectedSplit(open: bigint, [newShares, oldShares]: readonly [bigint, bigint]) {
  const whole = oldShares / commonDivisor(newShares, oldShares);
  const max = (LARGEST * oldShares) / newShares;
  const within = open < max ? open : max;
  const kept = within - (within % whole);
  return { paid: open - kept, left: (kept * newShares) / oldShares };
}

function sharesOf({ orders }: AccountState): readonly number[] {
  return orders.flatMap((order) => (order.kind === "bracket" ? [order.shareOf] : []));
}

const ratios: fc.Arbitrary<Ratio> = fc.oneof(
  fc.constantFrom(
    [10_000, 1] as const,
    [1, 10_000] as const,
    [9_999, 7] as const,
    [3, 10_000] as const,
  ),
  fc.tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 10_000 })),
);

/**
 * An account with a position and its legs, a pending order of the position's size and, in some cases, an earlier
 * reduction.
 */
function holderOf(
  at: number,
  { direction, exited }: Pick<Drawn, "direction" | "exited">,
): SplitAccount {
  const holder = new SplitAccount(at);
  const size: Size = { kind: "value", value: roundUsd(40_000) };
  holder.order({ direction, size, legs: legsAt(at, direction), reduceOnly: false });
  const lots = (holder.position?.quantity ?? 0) / 1e5;
  const entry = {
    direction,
    size: { kind: "quantity", lots },
    legs: [],
    reduceOnly: false,
  } as const;
  const limitPrice = price(at * (direction === "long" ? 0.6 : 1.4));
  holder.submit({ type: "placeLimit", ...holder.next(), ...entry, limitPrice });
  if (exited > 0) {
    const against = direction === "long" ? "short" : "long";
    const part = { kind: "value", value: roundUsd(40_000 * exited) } as const;
    holder.pass();
    holder.order({ direction: against, size: part, legs: [], reduceOnly: true });
  }
  return holder;
}

/**
 * Carries out a split and compares the result with `expectedSplit`. Returns whether the ratio alone would have exceeded
 * the largest quantity.
 */
function splitAndCompare(holder: SplitAccount, split: Ratio): boolean {
  const open = BigInt(holder.position?.quantity ?? 0);
  const equity = holder.equity();
  const events = holder.split(split);
  expect(Math.abs(holder.equity() - equity)).toBeLessThanOrEqual(MICRO_WITHIN);
  const [newShares, oldShares] = [BigInt(split[0]), BigInt(split[1])];
  const expected = expectedSplit(open, [newShares, oldShares]);
  const paid = events.find((event) => event.type === "orderFilled");
  expect(BigInt(paid?.quantity ?? 0)).toBe(expected.paid);
  expect(paid?.fee ?? 0).toBe(0);
  const { position, state } = holder;
  expect(BigInt(position?.quantity ?? 0)).toBe(expected.left);
  const sizes = [position?.openedQuantity ?? 0, position?.exitQuantity ?? 0, ...sharesOf(state)];
  expect(sizes.filter((size) => !Number.isSafeInteger(size))).toEqual([]);
  return open * newShares > LARGEST * oldShares;
}

function tradeOn(holder: SplitAccount, at: number, direction: Direction): void {
  const sizes: readonly Size[] = [
    { kind: "value", value: roundUsd(10_000) },
    { kind: "leverage", leverage: leverage(0.1) },
    { kind: "quantity", lots: 1e9 },
  ];
  for (const size of sizes) {
    holder.quote(at);
    holder.order({ direction, size, legs: legsAt(at, direction), reduceOnly: false });
  }
  const sign = direction === "long" ? -1 : 1;
  for (const away of [0.45, 0.55]) holder.quote(at * (1 + sign * away));
  holder.submit({ type: "closePair", ...holder.next() });
  holder.submit({ type: "flatten", target: "all", pair: null });
}

const draws = fc.record({
  power: fc.integer({ min: -9, max: 2 }),
  direction: fc.constantFrom<Direction>("long", "short"),
  splits: fc.array(ratios, { minLength: 1, maxLength: 4 }),
  exited: fc.constantFrom(0, 0.3),
});
type Drawn = typeof draws extends fc.Arbitrary<infer One> ? One : never;

test("a split keeps what is exact, pays out the rest without a fee, equity stays, and the holder trades on [D11.cashInLieu] [D11.split]", () => {
  let beyond = 0;
  fc.assert(
    fc.property(draws, ({ power, direction, splits, exited }) => {
      let at = 10 ** power;
      const holder = holderOf(at, { direction, exited });
      for (const split of splits) {
        if (holder.position === null) break;
        beyond += splitAndCompare(holder, split) ? 1 : 0;
        at = (at * split[1]) / split[0];
        holder.quote(at);
      }
      tradeOn(holder, at, direction);
    }),
    propertySettings(200),
  );
  expect(beyond).toBeGreaterThan(scaledCount(25));
});
