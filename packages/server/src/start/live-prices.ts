import { CannotStart, type Log, madePrices, type Settings } from "@propgate/base";
import type { SharedBus } from "@propgate/cluster";
import type { PairId } from "@propgate/core";
import { createPriceChoiceStore, type Shards } from "@propgate/ledger";
import {
  type Catalogue,
  createLiveFeed,
  createLocalBus,
  createPriceChoices,
  createQuoteIntake,
  createSharedFeed,
  deviationLimits,
  isTraded,
  type LiveFeed,
  type LiveSource,
  type LiveSurroundings,
  nextEpoch,
  type OpenedSource,
  openLiveSource,
  type PriceChoices,
  type PriceDesk,
  type PriceSource,
  type QuoteBoard,
  type QuoteBus,
  type QuoteIntake,
  resolvePlan,
  restartableSource,
  type SourceWarning,
  type SpeakerChange,
  sourceNamesOf,
  withPairIds,
} from "@propgate/market";
import { createGapHalts, type GapHalts } from "./gap-halts.ts";
import type { PriceRecords } from "./price-records.ts";
import { openVenueFunding, type VenueFunding } from "./venue-funding.ts";

/** A price a fifth away from the one before is accepted when three quotes confirm it. */
export const OUTLIERS = { moveMax: 0.2, confirmedBy: 3 };

/** The venues of the settings, not connected yet. */
export interface OpenedVenues {
  readonly sources: readonly LiveSource[];
  /** The names of each pair's sources by priority. */
  readonly plan: ReadonlyMap<PairId, readonly string[]>;
  readonly deviationPct: (pair: PairId) => number;
  /** The hourly funding of pairs whose carry comes from the source. */
  readonly funding: VenueFunding;
  /** Where prices come from, for people. */
  readonly description: string;
}

/**
 * Opens the venues that the settings name; null when they name none. Reaches no network.
 * @throws CannotStart when a name or a venue's settings are wrong
 */
export async function openVenues(around: LiveSurroundings): Promise<OpenedVenues | null> {
  const { instruments } = around;
  warnOfPush(around);
  if (around.settings.prices === null || madePrices(around.settings.prices) !== null) return null;
  const prices = withPairIds(around.settings.prices, instruments, "PROPGATE_PRICES");
  const given = around.settings.pricesDeviation;
  const pricesDeviation =
    given === null ? null : withPairIds(given, instruments, "PROPGATE_PRICES_DEVIATION");
  const settings = { ...around.settings, prices, pricesDeviation };
  if (settings.replay.length > 0) {
    throw new CannotStart("PROPGATE_PRICES and PROPGATE_REPLAY are both set", {
      fix: "Set one of them: live prices, or a recording.",
    });
  }
  const names = [...sourceNamesOf(prices)];
  const sources = await Promise.all(
    names.map(async (name) => {
      const open = () => openLiveSource(name, { ...around, settings });
      return settings.natsUrl === null ? open() : restartableSource(await open(), open);
    }),
  );
  checkAddresses(settings.priceUrls, names);
  const plan = resolvePlan(prices, instruments, sources);
  return {
    sources,
    plan,
    funding: await openVenueFunding(plan, around),
    deviationPct: deviationLimits(instruments, pricesDeviation),
    description: `live from ${names.join(", ")}`,
  };
}

/** Settings of pushed prices that have no effect, or that let tokens and quotes travel unencrypted. */
function warnOfPush({ settings, log }: LiveSurroundings): void {
  const { prices, pushListen, pushToken } = settings;
  if (prices !== null && sourceNamesOf(prices).has("push")) {
    if (pushListen === null || LOOPBACK.test(pushListen.host)) return;
    log.warn(
      { listen: `${pushListen.host}:${pushListen.port}` },
      "tokens and quotes travel unencrypted to the listener of pushed prices; put a proxy with TLS before it",
    );
    return;
  }
  if (pushListen === null && pushToken === null) return;
  log.warn(
    "PROPGATE_PUSH_LISTEN and PROPGATE_PUSH_TOKEN have no effect: PROPGATE_PRICES does not name push",
  );
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;

/** An address with a wrong name would let the service reach the venue itself. */
function checkAddresses(addresses: Settings["priceUrls"], names: readonly string[]): void {
  const unused = addresses.find(({ name }) => !names.includes(name));
  if (unused === undefined) return;
  throw new CannotStart(
    `PROPGATE_PRICE_URLS names ${unused.name}, which PROPGATE_PRICES does not`,
    {
      fix: `The sources are ${names.join(", ")}.`,
    },
  );
}

/** A quote's way from its source to the market loop, and the operator's choices on it. */
export interface QuoteFlow {
  readonly intake: QuoteIntake;
  readonly bus: QuoteBus;
  readonly priceChoices: PriceChoices;
  readonly gapHalts: GapHalts;
  /** Null when prices are not live. */
  readonly feed: LiveFeed | null;
  /** The service starts and stops it. */
  readonly source: PriceSource;
  readonly description: string;
}

/**
 * Opens a new epoch of quotes; on a bus that nodes share, the lease of the feed brings the epochs. Call it when the
 * board has the quotes of the earlier process.
 */
export async function openQuoteFlow(
  databases: Shards,
  opened: {
    /** Null for the bus of one process. */
    readonly sharedBus: SharedBus | null;
    readonly catalogue: Catalogue;
    readonly board: QuoteBoard;
    readonly prices: OpenedSource;
    readonly venues: OpenedVenues | null;
    readonly records: Pick<PriceRecords, "lastEpoch" | "follow">;
  },
  log: Log,
): Promise<QuoteFlow> {
  const { board, catalogue, prices, venues, records } = opened;
  const { clock } = prices;
  const { instruments } = catalogue;
  const bus = opened.sharedBus ?? createLocalBus();
  records.follow(bus);
  const priceChoices = createPriceChoices({
    store: createPriceChoiceStore(databases.first),
    clock,
  });
  await priceChoices.refresh();
  const gapHalts = createGapHalts({ instruments, board, choices: priceChoices, log });
  const intake = createQuoteIntake({
    epoch: opened.sharedBus === null ? await nextEpoch(databases.all, records.lastEpoch) : 0,
    instruments,
    outliers: OUTLIERS,
    bus,
    known: board.quotes,
    gaps: gapHalts.gaps,
    inScale: (quote, at) => board.inScale(quote, at),
  });
  if (venues === null) return { ...prices, intake, bus, priceChoices, gapHalts, feed: null };
  const own = createLiveFeed({
    ...venues,
    instruments,
    choices: priceChoices,
    outliers: OUTLIERS,
    gaps: gapHalts.gaps,
    clock,
    newest: (pair) => {
      const newest = intake.newest(pair) ?? board.newest(pair);
      return newest && { ...board.inScale(newest, clock.now()), source: newest.source };
    },
    accept: (quote) => intake.offer(quote, "composed"),
    onChanges: (changes) => logChanges(changes, log),
  });
  const feed = opened.sharedBus === null ? own : createSharedFeed(own, opened.sharedBus);
  const source: PriceSource = {
    name: venues.sources.map(({ name }) => name).join(", "),
    start: () => feed.start(),
    async stop() {
      for (const one of venues.funding.sources) one.stop();
      await feed.stop();
    },
    warnings: () => venues.funding.warnings,
  };
  return { intake, bus, priceChoices, gapHalts, feed, source, description: venues.description };
}

/** Max pairs that the start names; the operator's list has all of them. */
const NAMED_PAIRS_MAX = 8;

/** The pairs that no source will price. The first quotes of the others may still be on their way at a start. */
export function unpricedPairs(desk: PriceDesk): readonly SourceWarning[] {
  const pairs = desk.list().filter((pair) => pair.state === "unpriced" && isTraded(pair));
  const [first] = pairs;
  if (first === undefined) return [];
  const shown = pairs.slice(0, NAMED_PAIRS_MAX).map(({ instrument }) => instrument.id);
  const more = pairs.length - shown.length;
  const names = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const reason = `pairs without a source (${names}): ${first.problem ?? ""}`;
  return [{ source: "prices", reason, count: pairs.length, first: null }];
}

/** One line for all pairs that changed from one source to another. */
function logChanges(changes: readonly SpeakerChange[], log: Log): void {
  const groups = new Map<string, PairId[]>();
  for (const { pair, from, to } of changes) {
    const change = `${from ?? "none"} to ${to ?? "none"}`;
    groups.set(change, [...(groups.get(change) ?? []), pair]);
  }
  for (const [change, pairs] of groups) {
    const about = { change, pairs: pairs.length, first: pairs[0] };
    log.info(about, "the speaking price source changed");
  }
}
