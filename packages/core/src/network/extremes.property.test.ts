import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, type PairId, pairId } from "../ids.ts";
import type { Quote } from "../market/quote.ts";
import { accountSnapshot } from "../snapshot/account-snapshot.ts";
import { positionReadings } from "../snapshot/position-readings.ts";
import { stressedAccount } from "../snapshot/stress.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import type { LegSize, Size } from "../state/requested-size.ts";
import { CLASSIC_TERMS, createTestProTerms, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { leverage, price, ratio, roundUsd, type UnixMs, unixMs } from "../units.ts";
import { decide } from "./decide.ts";
import { previewOrder } from "./preview.ts";

const NEAR = {
  BTCUSD: 50_000,
  SLIPUSD: 20,
  LTCUSD: 80,
  ETHPERP: 2_500,
  EURUSD: 1.1,
  USDJPY: 150,
  EURJPY: 165,
  XAUUSD: 2_000,
  GME: 25,
} as const;
const PAIRS = Object.keys(NEAR) as (keyof typeof NEAR)[];
const HOUR_MS = 3_600_000;

/**
 * Powers of ten by which a price is changed: mostly 0, some up to 9 either way, such as those of a small coin, and few
 * so large or small that sums are not exact.
 */
const power = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: -99, max: 95 }) },
);
const near = fc.constantFrom(1, 1, 0.999, 1.001, 0.5, 2);
const size: fc.Arbitrary<Size> = fc.oneof(
  fc.constantFrom(1e9, 1, 0.01, 1e-9).map((lots) => ({ kind: "quantity" as const, lots })),
  fc
    .constantFrom(1e9, 20_000, 10, 1e-6)
    .map((usd) => ({ kind: "value" as const, value: roundUsd(usd) })),
  fc
    .constantFrom(1e9, 1, 0.1, 1e-9)
    .map((times) => ({ kind: "leverage" as const, leverage: leverage(times) })),
);
const legSize: fc.Arbitrary<LegSize | null> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(1, 0.5, 1e-9).map((of) => ({ kind: "bracketPct" as const, ratio: ratio(of) })),
  size,
);
const leg = fc.record({
  stop: fc.constantFrom(null, 0.01, 0.5, 0.999),
  trail: fc.constantFrom(null, null, 0.5, 1e-9),
  size: legSize,
});
const step = fc.record({
  does: fc.constantFrom(
    ...([
      "market",
      "market",
      "market",
      "limit",
      "bracket",
      "flat",
      "quote",
      "quote",
      "pass",
    ] as const),
  ),
  pair: fc.constantFrom(...PAIRS),
  direction: fc.constantFrom<Direction>("long", "short"),
  power,
  near,
  size,
  legs: fc.array(leg, { maxLength: 2 }),
  hours: fc.constantFrom(1, 8, 24, 200),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function legOf(given: Step["legs"][number], at: number, direction: Direction): LegRequest {
  const away = direction === "long" ? -1 : 1;
  return {
    stopLoss: given.stop === null ? null : price(at * (1 + away * given.stop)),
    takeProfit: given.stop === null ? price(at * (1 - away * 0.5)) : null,
    trailing: given.trail === null ? null : { kind: "value", value: at * given.trail },
    size: given.size,
  };
}

/** One account. Every request and all due work on it must end in events or a refusal, never in an exception. */
class ExtremesAccount {
  #state: AccountState | null = null;
  #now: UnixMs = unixMs(Date.parse("2026-01-05T15:00:00Z"));
  #orders = 0;
  readonly #quotes = new Map<PairId, Quote>();
  readonly seen = new Set<string>();

  constructor(isPro: boolean) {
    for (const pair of PAIRS) this.#quote(pair, NEAR[pair]);
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    this.#submit({ type: "openAccount", ...ids, terms: CLASSIC_TERMS, provisioned: true });
    if (!isPro) return;
    this.#submit({ type: "promote" });
    this.#submit({
      type: "offerPro",
      terms: createTestProTerms(roundUsd(200_000), roundUsd(100_000)),
    });
    this.#pass(24 * 7);
  }

  #moment() {
    return { now: this.#now, quotes: this.#quotes, instruments: TEST_CATALOGUE };
  }

  #quote(pair: string, at: number): void {
    const id = pairId(pair);
    this.#quotes.set(id, { pair: id, bid: price(at), ask: price(at * 1.0001), atMs: this.#now });
  }

  #submit(command: Command): readonly Event[] {
    const decision = decide(this.#state, command, this.#moment());
    if (!decision.ok) {
      this.seen.add(`refused ${decision.refusal.code}`);
      return [];
    }
    for (const event of decision.value) this.seen.add(event.type);
    this.#state = decision.value.reduce<AccountState | null>(evolve, this.#state);
    this.#computeAllFigures();
    return decision.value;
  }

  /** Computes the figures that clients and operators read, because none of them may throw an exception. */
  #computeAllFigures(): void {
    if (this.#state === null) return;
    const snapshot = accountSnapshot(this.#state, this.#moment());
    positionReadings(this.#state, this.#moment());
    if (!snapshot.ok) return;
    for (const move of [-0.999, 99]) {
      const market = this.#moment();
      stressedAccount(this.#state, snapshot.value.equity, { pairs: () => true, move, market });
    }
  }

  #pass(hours: number): void {
    this.#now = unixMs(this.#now + hours * HOUR_MS);
    for (const quote of this.#quotes.values()) this.#quote(quote.pair, quote.bid);
    this.#submit({ type: "passTime" });
    this.#submit({ type: "settlePrices" });
  }

  take(one: Step): void {
    const { does, pair, direction } = one;
    const at = NEAR[pair] * 10 ** one.power * one.near;
    if (does === "quote") {
      this.#quote(pair, at);
      this.#submit({ type: "settlePrices" });
      return;
    }
    if (does === "pass") {
      this.#pass(one.hours);
      return;
    }
    this.#orders += 1;
    const named = { orderUuid: orderUuid(`o${this.#orders}`), pair: pairId(pair) };
    const quoted = this.#quotes.get(named.pair)?.bid ?? at;
    const legs = one.legs.map((given) => legOf(given, quoted, direction));
    const entry = { ...named, direction, size: one.size, legs, reduceOnly: false };
    const command = {
      market: { type: "placeMarket", ...entry },
      limit: { type: "placeLimit", ...entry, limitPrice: price(at) },
      bracket: { type: "placeBracket", ...named, legs },
      flat: { type: "closePair", ...named },
    } as const;
    if (this.#state !== null) previewOrder(this.#state, command[does], this.#moment());
    this.#submit(command[does]);
  }
}

test("no price, size or time of an account ends in an assertion [D10.exactMoney]", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { minLength: 10, maxLength: 60 }), (isPro, steps) => {
      const life = new ExtremesAccount(isPro);
      for (const one of steps) life.take(one);
      for (const kind of life.seen) seen.add(kind);
    }),
    propertySettings(1_000),
  );
  expect(seen).toContain("refused amountTooLarge");
  expect(seen).toContain("carryCharged");
  expect(seen).toContain("cycleClosed");
});
