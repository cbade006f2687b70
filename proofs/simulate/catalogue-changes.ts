/**
 * The changes of one pair of the catalogue and their weights. A firm makes one while the service is stopped, and the
 * next start has the changed catalogue.
 */
import {
  type AccountState,
  evolve,
  type Instrument,
  type PairId,
  pairId,
  price,
  quantity,
  ratio,
} from "@propgate/core";
import { UnfitSettings } from "../../packages/base/src/unfit-settings.ts";
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { createStateCache } from "../../packages/ledger/src/trading/state-cache.ts";
import type { Catalogue } from "../../packages/market/src/catalogue/catalogue.ts";
import { CONVERSION_PAIRS, SHARE_PAIR, TRADED_PAIRS } from "./market.ts";
import type { RandomDraw } from "./random-draw.ts";

const CHANGES = {
  blocked: 3,
  retired: 2,
  lotSize: 3,
  gridStep: 3,
  tick: 2,
  fee: 2,
  staleAfter: 1,
  caps: 1,
  class: 3,
  dropped: 3,
  restored: 5,
} as const;
type CatalogueChangeName = keyof typeof CHANGES;

/** A coarser grid step is this many times as large as the step at the first start. */
const COARSER = 300;

/** The names under which the report counts the starts with a changed catalogue. */
export const CATALOGUE_ACTS: readonly string[] = [
  "blocked",
  "unblocked",
  "retired",
  "lotSize",
  "lotSize.refused",
  "gridStep",
  "tick",
  "fee",
  "staleAfter",
  "caps",
  "class",
  "class.refused",
  "dropped",
  "dropped.refused",
  "restored",
].map((name) => `catalogue.${name}`);

/** The name under which the report counts a start with a changed catalogue during which faults happened. */
export const DISTURBED_START = "catalogue.disturbedStart";

/** A change of one pair, with the catalogues before and after it. */
export interface CatalogueChange {
  readonly name: CatalogueChangeName;
  readonly pair: PairId;
  readonly former: Catalogue;
  readonly catalogue: Catalogue;
  /**
   * True when a start must refuse the change, because accounts hold positions or orders of the pair.
   * @rule D13.startCompares
   */
  readonly isUnfit: boolean;
}

/**
 * Draws a change of one pair; null when the drawn change is not possible. `base` has all pairs as they were at the
 * first start.
 */
export async function drawCatalogueChange(
  draw: RandomDraw,
  given: {
    readonly base: Catalogue;
    readonly former: Catalogue;
    readonly databases: readonly Database[];
  },
): Promise<CatalogueChange | null> {
  const { base, former } = given;
  const name = draw.weighted(CHANGES);
  const pair = pairId(draw.pick(TRADED_PAIRS));
  const first = base.instruments.get(pair);
  const before = former.instruments.get(pair);
  if (first === undefined || (before === undefined) !== (name === "restored")) return null;
  // No other pair converts the prices of EURJPY to USD, so the check of the catalogue would refuse to drop this one.
  if (name === "dropped" && pair === CONVERSION_PAIRS.rate) return null;
  // The lot of a share is always one share.
  if (name === "lotSize" && pair === SHARE_PAIR) return null;
  const after = changedInstrument(name, before ?? first, first);
  const instruments = new Map(former.instruments);
  if (after === null) instruments.delete(pair);
  else instruments.set(pair, after);
  const states = await exposedOf(given.databases);
  const holders = states.filter((state) => holds(state, pair));
  const isUnfit = holders.some((state) => cannotGoOn(state, before ?? first, after));
  return { name, pair, former, catalogue: { ...former, instruments }, isUnfit };
}

/** The changed pair; null when it is dropped. */
function changedInstrument(
  name: CatalogueChangeName,
  before: Instrument,
  first: Instrument,
): Instrument | null {
  const { retired: _retired, ...plain } = before;
  switch (name) {
    case "dropped":
      return null;
    case "restored":
      return before;
    case "blocked":
      return { ...plain, blocked: !before.blocked };
    case "retired":
      return { ...plain, blocked: true, retired: true };
    case "lotSize":
      return { ...before, lotSize: first.lotSize * (before.lotSize === first.lotSize ? 10 : 1) };
    case "gridStep":
      return withGrid(before, before.gridStep === first.gridStep ? COARSER : 1, first);
    case "tick":
      return { ...before, tick: price(first.tick * (before.tick === first.tick ? 10 : 1)) };
    case "fee":
      return {
        ...before,
        feeRatio: ratio(first.feeRatio + (before.feeRatio === first.feeRatio ? 0.001 : 0)),
      };
    case "staleAfter":
      return {
        ...before,
        staleAfterMs: first.staleAfterMs * (before.staleAfterMs === first.staleAfterMs ? 3 : 1),
      };
    case "caps":
      return {
        ...before,
        leverageCaps: { ...before.leverageCaps, tier1: before.leverageCaps.pro },
      };
    case "class":
      return {
        ...before,
        assetClass: before.assetClass === first.assetClass ? "commodities" : first.assetClass,
      };
  }
}

/**
 * The instrument with the grid steps of the first start, multiplied by `times`. Accounts keep positions and legs whose
 * quantities lie between the new steps.
 */
function withGrid(before: Instrument, times: number, first: Instrument): Instrument {
  const { gridStep, gridStepSmallAccount: small } = first;
  return {
    ...before,
    gridStep: quantity(gridStep * times),
    gridStepSmallAccount: small === null ? null : quantity(small * times),
  };
}

function cannotGoOn(
  { terms }: AccountState,
  before: Instrument,
  after: Instrument | null,
): boolean {
  if (after === null || after.lotSize !== before.lotSize) return true;
  const { assetClass } = terms;
  const isMoved = after.assetClass !== before.assetClass;
  return isMoved && assetClass !== "allMarkets" && assetClass !== after.assetClass;
}

function holds({ positions, orders }: AccountState, pair: PairId): boolean {
  return [...positions, ...orders].some((one) => one.pair === pair);
}

async function exposedOf(databases: readonly Database[]): Promise<readonly AccountState[]> {
  const found: AccountState[] = [];
  for (const database of databases) {
    const cache = createStateCache(database, { evolve, onFault: () => undefined });
    for (const { state } of await cache.loadExposed()) found.push(state);
  }
  return found;
}

/**
 * The catalogue for the next start, with the change, if there is one, on which no start has decided yet. The firm
 * cancels a change that a start refuses.
 */
export class CatalogueInForce {
  readonly #given: {
    readonly count: (name: string) => void;
    readonly report: (message: string) => void;
  };
  #current: Catalogue;
  #pending: CatalogueChange | null = null;
  #isCancelled = false;

  constructor(
    first: Catalogue,
    given: {
      readonly count: (name: string) => void;
      readonly report: (message: string) => void;
    },
  ) {
    this.#current = first;
    this.#given = given;
  }

  get current(): Catalogue {
    return this.#current;
  }

  change(change: CatalogueChange): void {
    this.#pending = change;
    this.#current = change.catalogue;
    this.#isCancelled = false;
  }

  countDisturbed(): void {
    this.#given.count(DISTURBED_START);
  }

  started(): void {
    const change = this.#pending;
    if (change === null) return;
    this.#pending = null;
    this.#given.count(nameOf(change));
    if (change.isUnfit) {
      this.#given.report(`a start took ${change.name} of ${change.pair}, which accounts hold`);
    }
  }

  /**
   * True when the cause is the refusal of the present change, or of the change that the firm has just cancelled:
   * several nodes may refuse the same change.
   */
  refused(cause: unknown): boolean {
    if (!(cause instanceof UnfitSettings)) return false;
    const change = this.#pending;
    if (change === null) return this.#isCancelled;
    this.#pending = null;
    this.#isCancelled = true;
    this.#current = change.former;
    this.#given.count(`${nameOf(change)}.refused`);
    if (!change.isUnfit) {
      this.#given.report(`a start refused ${change.name} of ${change.pair}: ${cause.message}`);
    }
    return true;
  }
}

/** The name of a change in the report. Lifting a block has its own name. */
function nameOf({ name, pair, catalogue }: CatalogueChange): string {
  const isLifted = name === "blocked" && catalogue.instruments.get(pair)?.blocked === false;
  return `catalogue.${isLifted ? "unblocked" : name}`;
}
