import {
  type AssetClass,
  type Instrument,
  isOpen,
  price,
  type Quote,
  type Quotes,
  type UnixMs,
} from "@propgate/core";
import { createPseudoRandom, type PseudoRandom } from "./pseudo-random.ts";
import { tickDecimals } from "./tick.ts";

/** The behaviour of one simulated instrument. */
export interface SimulationParameters {
  /** The price at which the simulation starts. */
  readonly referencePrice: number;
  /** The standard deviation of a year's return as a share: 0.6 is 60 %. */
  readonly annualVolatility: number;
}

export interface SimulatedInstrument {
  readonly instrument: Instrument;
  readonly parameters: SimulationParameters;
}

export interface SimulatedMarketOptions {
  /** The seed of all random numbers. The same options and calls give the same quotes. */
  readonly seed: string;
  readonly instruments: readonly SimulatedInstrument[];
  /** The last prices of an earlier run. A pair without one starts at its reference price. */
  readonly from: Quotes;
}

/** A simulated market with realistic prices. It reads no clock: the same calls give the same quotes. */
export interface SimulatedMarket {
  /**
   * Moves every price from the time of the previous call to `atMs`. Returns quotes only of open markets; closed ones
   * move too.
   */
  next(atMs: UnixMs): readonly Quote[];
}

const YEAR_MS = 365 * 86_400_000;
/**
 * The time constant with which volatility returns to its mean. Times of high volatility last hours, as in real markets.
 */
const CLUSTER_RETURN_MS = 3 * 3_600_000;
const CLUSTER_DEVIATION = 0.45;
/** The standard deviation of a jump, as a multiple of the usual move of an hour. */
const JUMP_HOURLY_MOVES = 3;
const JUMPS_A_DAY: Readonly<Record<AssetClass, number>> = {
  crypto: 1.5,
  forex: 0.3,
  indices: 0.4,
  equities: 0.5,
  commodities: 0.5,
};
/** How much the moves of one asset class have in common, as a correlation. */
const CLASS_CORRELATION: Readonly<Record<AssetClass, number>> = {
  crypto: 0.7,
  forex: 0,
  indices: 0.8,
  equities: 0.5,
  commodities: 0.2,
};
/** The time constant with which a widened spread returns to its usual width. The return takes a few times as long. */
const SPREAD_RETURN_MS = 60_000;
/** The size of moves while a market is closed, relative to an open one. */
const CLOSED_ACTIVITY = 0.2;
/**
 * The longest time that one call moves prices, so that a service does not find entirely different prices after a long
 * stop.
 */
const LONGEST_STEP_MS = 12 * 3_600_000;
/** The time constant with which a price returns to its reference. The return bounds the price over years. */
const REFERENCE_RETURN_MS = 2 * YEAR_MS;

/** One random factor: a currency against the dollar, or an instrument that is not forex. */
interface Factor {
  readonly assetClass: AssetClass;
  readonly annualVolatility: number;
  readonly normals: PseudoRandom;
  /** The logarithm of the price divided by its reference. */
  level: number;
  /** The logarithm of the present volatility divided by the usual one. */
  cluster: number;
  /** The extra width of the spread, in multiples of the usual one. */
  widened: number;
}

export function createSimulatedMarket(options: SimulatedMarketOptions): SimulatedMarket {
  const markets = options.instruments.map((simulated) => startingMarket(simulated, options));
  const factors = new Map<string, Factor>();
  for (const { instrument, parameters } of options.instruments) {
    for (const name of factorNames(instrument)) {
      if (name === DOLLAR || factors.has(name)) continue;
      factors.set(name, createFactor({ name, instrument, parameters, options }));
    }
  }
  const common = new Map<AssetClass, PseudoRandom>();
  const commonMove = (assetClass: AssetClass): PseudoRandom => {
    const known = common.get(assetClass);
    if (known !== undefined) return known;
    const made = createPseudoRandom(`${options.seed}:class:${assetClass}`);
    common.set(assetClass, made);
    return made;
  };
  let lastMs: UnixMs | null = null;

  return {
    next(atMs) {
      const stepMs = lastMs === null ? 0 : Math.min(Math.max(0, atMs - lastMs), LONGEST_STEP_MS);
      lastMs = atMs;
      const openClasses = new Set<AssetClass>();
      const open = markets.filter(({ instrument }) => isOpen(instrument.session, atMs));
      for (const { instrument } of open) openClasses.add(instrument.assetClass);
      const shared = new Map<AssetClass, number>();
      for (const factor of factors.values()) {
        const { assetClass } = factor;
        const move = shared.get(assetClass) ?? commonMove(assetClass).normal();
        shared.set(assetClass, move);
        const activity = openClasses.has(assetClass) ? 1 : CLOSED_ACTIVITY;
        moveFactor(factor, { stepMs, common: move, activity });
      }
      return open.map((market) => quoteOf(market, factors, atMs));
    },
  };
}

const DOLLAR = "currency:USD";

/**
 * The two factors that move an instrument. A forex pair is moved by its two currencies, so that crosses always agree
 * with each other; any other instrument by its own factor against the dollar.
 */
function factorNames(instrument: Instrument): readonly [string, string] {
  if (instrument.assetClass !== "forex") return [instrument.id, DOLLAR];
  return [`currency:${instrument.base}`, `currency:${instrument.quote}`];
}

interface NewFactor extends SimulatedInstrument {
  readonly name: string;
  readonly options: SimulatedMarketOptions;
}

function createFactor({ name, instrument, parameters, options }: NewFactor): Factor {
  const direct = options.instruments.find((other) => isDirect(other.instrument, name));
  const { annualVolatility } = direct?.parameters ?? parameters;
  return {
    assetClass: instrument.assetClass,
    annualVolatility,
    normals: createPseudoRandom(`${options.seed}:${name}`),
    level: direct === undefined ? 0 : savedLevel(direct, name, options.from),
    cluster: 0,
    widened: 0,
  };
}

/** True for the instrument that quotes this factor directly against the dollar. */
function isDirect(instrument: Instrument, name: string): boolean {
  const names = factorNames(instrument);
  return names.includes(name) && names.includes(DOLLAR);
}

function savedLevel(direct: SimulatedInstrument, name: string, from: Quotes): number {
  const quote = from.get(direct.instrument.id);
  if (quote === undefined) return 0;
  const level = Math.log((quote.bid + quote.ask) / 2 / direct.parameters.referencePrice);
  return factorNames(direct.instrument)[0] === name ? level : -level;
}

interface Step {
  readonly stepMs: number;
  readonly common: number;
  readonly activity: number;
}

function moveFactor(factor: Factor, { stepMs, common, activity }: Step): void {
  // Every call draws the same number of random numbers, even when no time has passed. So the numbers of a call depend
  // only on the seed and on the number of earlier calls.
  const own = factor.normals.normal();
  const clusterShock = factor.normals.normal();
  const jumpChance = factor.normals.uniform();
  const jumpSize = factor.normals.normal();
  if (stepMs === 0) return;

  const cluster = Math.exp(-stepMs / CLUSTER_RETURN_MS);
  factor.cluster =
    factor.cluster * cluster + CLUSTER_DEVIATION * Math.sqrt(1 - cluster * cluster) * clusterShock;
  const volatility =
    factor.annualVolatility * Math.exp(factor.cluster - CLUSTER_DEVIATION ** 2) * activity;
  const together = CLASS_CORRELATION[factor.assetClass];
  const shock = Math.sqrt(together) * common + Math.sqrt(1 - together) * own;
  const homeward = factor.level * (1 - Math.exp(-stepMs / REFERENCE_RETURN_MS));
  factor.level += volatility * Math.sqrt(stepMs / YEAR_MS) * shock - homeward;

  factor.widened *= Math.exp(-stepMs / SPREAD_RETURN_MS);
  const jumps = (JUMPS_A_DAY[factor.assetClass] * stepMs * activity) / 86_400_000;
  if (jumpChance >= jumps) return;
  const hourly = factor.annualVolatility * Math.sqrt(3_600_000 / YEAR_MS);
  factor.level += JUMP_HOURLY_MOVES * hourly * jumpSize;
  factor.widened += 2 + Math.abs(jumpSize);
}

interface Market extends SimulatedInstrument {
  readonly factors: readonly [string, string];
  readonly normals: PseudoRandom;
  readonly decimals: number;
}

function startingMarket(simulated: SimulatedInstrument, options: SimulatedMarketOptions): Market {
  const { instrument } = simulated;
  return {
    ...simulated,
    factors: factorNames(instrument),
    normals: createPseudoRandom(`${options.seed}:spread:${instrument.id}`),
    decimals: tickDecimals(instrument.tick),
  };
}

function quoteOf(market: Market, factors: ReadonlyMap<string, Factor>, atMs: UnixMs): Quote {
  const { instrument, parameters, decimals } = market;
  const [base, quote] = market.factors.map((name) => factors.get(name));
  const level = (base?.level ?? 0) - (quote?.level ?? 0);
  const middle = parameters.referencePrice * Math.exp(level);
  const width =
    1 +
    Math.max(base?.widened ?? 0, quote?.widened ?? 0) +
    Math.max(0, Math.exp(Math.max(base?.cluster ?? 0, quote?.cluster ?? 0)) - 1) +
    0.25 * Math.abs(market.normals.normal());
  const half = (middle * instrument.spreadRatio * width) / 2;
  const { tick } = instrument;
  // Both prices are whole ticks: the bid rounded down, the ask rounded up and at least one tick above it.
  // @rule D6.ticks decides
  const bidTicks = Math.max(1, Math.floor((middle - half) / tick));
  const askTicks = Math.max(bidTicks + 1, Math.ceil((middle + half) / tick));
  return {
    pair: instrument.id,
    bid: price(Number((bidTicks * tick).toFixed(decimals))),
    ask: price(Number((askTicks * tick).toFixed(decimals))),
    atMs,
  };
}
