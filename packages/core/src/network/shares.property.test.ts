import fc from "fast-check";
import { expect, test } from "vitest";
import { deepenedCount, SEED } from "../../../../test/environment/depth.ts";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId } from "../ids.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { LegRequest } from "../state/order.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { percent, price, ratio, roundUsd, unixMs } from "../units.ts";
import { decide } from "./decide.ts";

const RUNS = deepenedCount(10_000, 400);
const BTC = pairId("BTCUSD");
const START_MS = 1_767_711_600_000;
const LOT = 100_000;
/** At this price the minimum position of $10 is below one grid step. */
const START_PRICE = 2_000_000;

type Play =
  | { readonly do: "add" | "reduce"; readonly steps: number }
  | { readonly do: "bracket"; readonly shares: readonly number[] }
  | { readonly do: "target"; readonly pick: number };

const shares = fc
  .array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 })
  .map((percents) => percents.map((one) => one / 100));
const plays: fc.Arbitrary<Play> = fc.oneof(
  { weight: 3, arbitrary: steps("add") },
  { weight: 2, arbitrary: steps("reduce") },
  { weight: 2, arbitrary: shares.map((some): Play => ({ do: "bracket", shares: some })) },
  {
    weight: 6,
    arbitrary: fc.nat({ max: 20 }).map((pick): Play => ({ do: "target", pick })),
  },
);

function steps(act: "add" | "reduce"): fc.Arbitrary<Play> {
  return fc.integer({ min: 1, max: LOT }).map((size): Play => ({ do: act, steps: size }));
}

/**
 * The legs of one request, and the quantity of which they are shares. This model follows the text of the rule and
 * shares no code with the network.
 */
interface Request {
  whole: number;
  /** The maximum rounding error of `whole` in the network's state. */
  slack: number;
  /**
   * The legs that have acted: the sum of their shares, its maximum rounding error, and the quantity that they have
   * closed. Null before one has acted.
   */
  acted: { readonly shares: number; readonly slack: number; readonly closed: number } | null;
  readonly legs: Map<string, number>;
}

/** One LONG whose targets fill in any order: before a target fills, it is edited to the present price. */
class SharesPlay {
  readonly #requests = new Map<string, Request>();
  #state: AccountState | null = null;
  #open = 0;
  #turn = 0;
  #price = START_PRICE;

  constructor() {
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    const phase = { profitTargetPct: null, dailyLossPct: percent(99), maxLossPct: percent(99) };
    const terms = { ...CLASSIC_TERMS, size: roundUsd(1e8), challenge: phase, funded: phase };
    this.#submit({ type: "openAccount", ...ids, terms, provisioned: true });
    this.#enter("long", LOT);
  }

  take(play: Play): void {
    this.#turn += 1;
    if (play.do === "bracket") this.#bracket(play.shares);
    else if (play.do === "target") this.#target(play.pick);
    else this.#enter(play.do === "add" ? "long" : "short", play.steps);
    const open = this.#state?.positions[0]?.quantity ?? 0;
    expect(open).toBe(this.#open);
    if (open === 0) {
      this.#requests.clear();
      this.#enter("long", LOT);
    }
  }

  #enter(direction: "long" | "short", size: number): void {
    const isAdd = direction === "long";
    const filled = isAdd ? size : Math.min(size, this.#open);
    this.#turn += 1;
    this.#submit({
      type: "placeMarket",
      orderUuid: orderUuid(`o${this.#turn}`),
      pair: BTC,
      direction,
      size: { kind: "quantity", lots: filled / LOT },
      legs: [],
      reduceOnly: false,
    });
    for (const request of this.#requests.values()) {
      if (isAdd) request.whole += filled;
      else this.#shrink(request, filled);
    }
    this.#open += isAdd ? filled : -filled;
  }

  #shrink(request: Request, reduced: number): void {
    const factor = (this.#open - reduced) / this.#open;
    request.whole *= factor;
    request.slack = request.slack * factor + 0.5;
  }

  #bracket(some: readonly number[]): void {
    const parent = `o${this.#turn}`;
    const legs = some.map((share) => this.#leg(share, START_PRICE + 1_000));
    const isTiny = some.some((share) => Math.round(share * this.#open) === 0);
    if (isTiny) return;
    this.#submit({ type: "placeBracket", orderUuid: orderUuid(parent), pair: BTC, legs });
    const ids = some.map((share, index): [string, number] => [`${parent}-bracket-${index}`, share]);
    this.#requests.set(parent, { whole: this.#open, slack: 0, acted: null, legs: new Map(ids) });
  }

  #leg(share: number, target: number): LegRequest {
    const size = { kind: "bracketPct", ratio: ratio(share) } as const;
    return { stopLoss: null, takeProfit: price(target), trailing: null, size };
  }

  #target(pick: number): void {
    const all = [...this.#requests.values()].flatMap((request) =>
      [...request.legs].map(([uuid, share]) => ({ request, uuid, share })),
    );
    const due = all[pick % Math.max(1, all.length)];
    if (due === undefined) return;
    const { request, uuid, share } = due;
    const leg = this.#leg(share, this.#price + 1);
    const isTiny = Math.round(share * request.whole) === 0;
    if (isTiny) return;
    const id = orderUuid(uuid);
    this.#submit({
      type: "editOrder",
      replacement: { type: "editLeg", orderUuid: id, pair: BTC, leg },
    });
    this.#price += 1;
    const fill = this.#submit({ type: "settlePrices" }).find((one) => one.type === "orderFilled");
    const closed = fill?.quantity ?? 0;
    const before = request.acted ?? { shares: 0, slack: 0, closed: 0 };
    const sum = before.shares + share * request.whole;
    const slack = before.slack + share * request.slack;
    const requested = Math.min(this.#open, sum - before.closed);
    const off = Math.abs(closed - requested);
    expect(off, `${uuid} closes ${requested}`).toBeLessThanOrEqual(slack + 0.5001);
    request.legs.delete(uuid);
    request.acted = { shares: sum, slack, closed: before.closed + closed };
    for (const other of this.#requests.values()) {
      if (other !== request) this.#shrink(other, closed);
    }
    this.#open -= closed;
  }

  #submit(command: Command): readonly Event[] {
    const now = unixMs(START_MS + this.#turn * 1_000);
    const at = price(this.#price);
    const quotes = new Map([[BTC, { pair: BTC, bid: at, ask: at, atMs: now }]]);
    const decided = decide(this.#state, command, { now, quotes, instruments: TEST_CATALOGUE });
    if (!decided.ok) throw new Error(`${command.type}: ${decided.refusal.code}`);
    this.#state = decided.value.reduce<AccountState | null>(evolve, this.#state);
    return decided.value;
  }
}

test("a share's whole grows by what is added and falls in proportion by what reduces, and only legs of one request are sisters, whose sum is rounded [D13.shareWhole] [D12.ladder]", () => {
  const property = fc.property(
    fc.array(plays, { minLength: 5, maxLength: 40, size: "max" }),
    (run) => {
      const play = new SharesPlay();
      for (const one of run) play.take(one);
    },
  );
  fc.assert(property, { numRuns: RUNS, seed: SEED });
});
