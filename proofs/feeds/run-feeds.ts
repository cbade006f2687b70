import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type PairId, pairId, type UnixMs, unixMs } from "@propgate/core";
import { createSeededChance } from "../../packages/base/src/random.ts";
import { createLiveFeed } from "../../packages/market/src/prices/composition/live-feed.ts";
import { createPriceHistory } from "../../packages/market/src/prices/composition/price-history.ts";
import type { ChosenPrices } from "../../packages/market/src/storage/price-choice-store.ts";
import {
  madeCatalogue,
  madeInstrument,
} from "../../packages/server/src/testing/made-instrument.ts";
import { madeQuoteFlow } from "../../packages/server/src/testing/made-quote-flow.ts";
import {
  createFaultyVenue,
  type FaultyVenue,
  type RandomDraw,
  VENUE_FAULTS,
} from "./faulty-venue.ts";
import { createFeedModel, type ModelPair } from "./feed-model.ts";
import { createFeedOrders, type FeedOrders } from "./feed-orders.ts";

/** The counts of a run, and the promises that were broken. */
export interface FeedsResult {
  readonly cuts: number;
  /** The duration of the run in virtual time. */
  readonly hours: number;
  readonly offered: number;
  readonly accepted: number;
  readonly failovers: number;
  readonly returns: number;
  readonly filledOrders: number;
  readonly comparedSources: number;
  readonly comparedTicks: number;
  /**
   * The longest time without an accepted quote beyond the staleness limit of its pair, at ticks at which a good source
   * existed.
   */
  readonly latestFailoverMs: number;
  /** The growth of the memory in use, in MB, from the end of the first tenth of the run to the end of the run. */
  readonly grownMb: number;
  /** The broken promises, as texts. */
  readonly broken: readonly string[];
  readonly ordersBroken: readonly string[];
}

const START_MS = 1_767_614_400_000;
const STEP_MS = 50;
const TICK_MS = 250;
const CHECK_MS = 1_000;
const ROUND_MS = 300_000;
/** The number of steps between two faults is drawn from 1 to this number. */
const STEPS_BETWEEN = 240;
const FAULT_MS = 20_000;
const LONG_FAULT_MS = 120_000;
const BYTES_PER_MB = 1_048_576;
const SOURCES = ["alpha", "beta", "gamma"] as const;

const PAIRS: readonly ModelPair[] = [
  { pair: pairId("BTCUSD"), limitMs: 2_000, sources: ["alpha", "beta", "gamma"] },
  { pair: pairId("ETHUSD"), limitMs: 5_000, sources: ["beta", "alpha"] },
  { pair: pairId("XRPUSD"), limitMs: 15_000, sources: ["gamma", "beta", "alpha"] },
  { pair: pairId("SOLUSD"), limitMs: 5_000, sources: ["gamma"] },
];

/** Makes venues fail at random over virtual time, and compares the feed with a model of its promises. */
export async function runFeeds(options: {
  readonly cuts: number;
  readonly seed: string;
  readonly onCut?: (cut: number) => void;
}): Promise<FeedsResult> {
  const chance = createSeededChance(`feeds ${options.seed}`);
  const draw: RandomDraw = {
    below: (limit) => Buffer.from(chance.bytes(4)).readUInt32BE() % Math.max(1, limit),
  };
  let nowMs: UnixMs = unixMs(START_MS);
  const clock = { now: () => nowMs };
  const instruments = madeCatalogue(
    ...PAIRS.map(({ pair, limitMs }) => madeInstrument(pair, { staleAfterMs: limitMs })),
  );
  const { board, bus, intake } = madeQuoteFlow(instruments);
  const model = createFeedModel(PAIRS, clock.now);
  const truths = new Map(PAIRS.map(({ pair }) => [pair, 100 + draw.below(100)]));
  let [offered, accepted] = [0, 0];
  const venues: readonly FaultyVenue[] = SOURCES.map((name, index) =>
    createFaultyVenue({
      name,
      pairs: PAIRS.filter(({ sources }) => sources.includes(name)).map(({ pair }) => pair),
      now: clock.now,
      truth: (pair) => truths.get(pair) ?? 100,
      draw,
      lagMs: index * 120,
      tag(message) {
        offered += 1;
        return model.sent(message);
      },
    }),
  );
  const choices = new Map<PairId, ChosenPrices>();
  const feed = createLiveFeed({
    sources: venues,
    plan: new Map(PAIRS.map(({ pair, sources }) => [pair, sources])),
    instruments,
    choices: {
      choiceOf(pair) {
        const chosen = choices.get(pair);
        return chosen === undefined ? null : { chosen };
      },
    },
    deviationPct: () => 1,
    outliers: { moveMax: 0.2, confirmedBy: 3 },
    clock,
    newest: (pair) => intake.newest(pair),
    accept: (quote) => intake.offer(quote, "composed"),
  });
  const history = createPriceHistory();
  board.onQuote((quote) => history.add(quote));
  let orders: FeedOrders | null = null;
  bus.subscribe((quote) => {
    accepted += 1;
    model.accepted(quote);
    orders?.accepted(quote);
    orders?.loop.push(quote);
  });
  await feed.start();

  const ordersBroken: string[] = [];
  let [cuts, nextFault, filledOrders, grownFrom, round] = [0, 1, 0, 0, 0];
  const choose = (): void => {
    const drawn = PAIRS[draw.below(PAIRS.length)];
    if (drawn === undefined) return;
    const { pair, sources } = drawn;
    const source = sources[draw.below(sources.length)] ?? SOURCES[0];
    const kinds = [
      { kind: "auto" },
      { kind: "auto" },
      { kind: "halt" },
      { kind: "use", source, isFar: cuts % 2 === 0 },
    ] as const;
    const chosen = kinds[draw.below(kinds.length)] ?? { kind: "auto" };
    choices.set(pair, chosen);
    model.chose(pair, chosen);
    feed.applyChoice(pair);
  };
  const fail = (): void => {
    cuts += 1;
    options.onCut?.(cuts);
    const kind = VENUE_FAULTS[draw.below(VENUE_FAULTS.length)] ?? "cut";
    const lasts = draw.below(draw.below(10) === 0 ? LONG_FAULT_MS : FAULT_MS) + STEP_MS;
    venues[draw.below(venues.length)]?.fail(kind, nowMs + lasts);
    if (draw.below(8) === 0) choose();
  };
  const move = (): void => {
    for (const { pair } of PAIRS) {
      const truth = truths.get(pair) ?? 100;
      const isJump = draw.below(4_000) === 0;
      const share = isJump ? 0.02 + draw.below(300) / 1_000 : draw.below(100) / 1_000_000;
      // A price moves towards the middle of its range more often, so that no price drifts far away in a long run.
      const isUp = draw.below(300) > truth;
      truths.set(pair, isUp ? truth * (1 + share) : truth / (1 + share));
      if (isJump) model.jumped(pair);
    }
  };
  const beginRound = async (): Promise<void> => {
    filledOrders += orders?.filled ?? 0;
    round += 1;
    orders = await createFeedOrders({ board, intake, instruments, clock }, round);
  };
  const check = async (): Promise<void> => {
    if (orders === null) return;
    ordersBroken.push(...(await orders.check()));
    for (const { pair } of PAIRS) {
      const ask = board.quote(pair)?.ask;
      if (ask !== undefined && draw.below(3) === 0) await orders.place(pair, ask, draw);
    }
    // A second check. The orders above were placed, which also runs pending work, but no new quote came. So none of the
    // orders may have filled.
    ordersBroken.push(...(await orders.check()));
  };

  for (let step = 0; cuts < options.cuts; step += 1) {
    if ((step * STEP_MS) % ROUND_MS === 0) await beginRound();
    nowMs = unixMs(nowMs + STEP_MS);
    if (step >= nextFault) {
      fail();
      nextFault = step + 1 + draw.below(STEPS_BETWEEN);
    }
    for (const venue of venues) venue.step();
    if ((step * STEP_MS) % TICK_MS === 0) {
      move();
      const down = venues.filter((venue) => venue.health().state === "down");
      model.ticking(new Set(down.map(({ name }) => name)));
      feed.tick();
      model.ticked();
    }
    if ((step * STEP_MS) % CHECK_MS === 0) await check();
    if (grownFrom === 0 && cuts * 10 >= options.cuts) grownFrom = memoryInUse();
  }
  await beginRound();
  await feed.stop();
  return {
    cuts,
    hours: (nowMs - START_MS) / 3_600_000,
    offered,
    accepted,
    failovers: model.failovers,
    returns: model.returns,
    filledOrders,
    comparedSources: model.comparedSources,
    comparedTicks: model.comparedTicks,
    latestFailoverMs: model.latestFailoverMs,
    grownMb: Math.max(0, Math.round((memoryInUse() - grownFrom) / BYTES_PER_MB)),
    broken: model.broken,
    ordersBroken: ordersBroken.slice(0, 50),
  };
}

/** The bytes in use after a garbage collection. */
function memoryInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}
