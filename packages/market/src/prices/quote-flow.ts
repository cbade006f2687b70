import type { Log } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type { Shards } from "@propgate/ledger";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { createPriceChoiceStore } from "../storage/price-choice-store.ts";
import { createGapHalts, type GapHalts } from "./composition/gap-halts.ts";
import { createLiveFeed, type LiveFeed, type SpeakerChange } from "./composition/live-feed.ts";
import { createPriceChoices, type PriceChoices } from "./composition/price-choices.ts";
import { createSharedFeed, type SourceViews } from "./composition/shared-feed.ts";
import type { PriceSource } from "./port.ts";
import type { PriceRecords } from "./price-records.ts";
import type { QuoteBoard } from "./quote-board.ts";
import { nextEpoch } from "./quotes/epoch.ts";
import { DEFAULT_OUTLIER_FILTER } from "./quotes/outlier-check.ts";
import { createLocalBus, type QuoteBus } from "./quotes/quote-bus.ts";
import { createQuoteIntake, type QuoteIntake } from "./quotes/quote-intake.ts";
import type { OpenedSource } from "./registry.ts";
import type { OpenedVenues } from "./venues/open-venues.ts";

/** The path of quotes from their source to the market loop, with the operator's choices for prices. */
export interface QuoteFlow {
  readonly intake: QuoteIntake;
  readonly bus: QuoteBus;
  readonly priceChoices: PriceChoices;
  readonly gapHalts: GapHalts;
  /** The live feed; null when prices do not come from venues. */
  readonly feed: LiveFeed | null;
  /** The source of prices, which the service starts and stops. */
  readonly source: PriceSource;
  /** The source of the prices as people read it, such as `simulated` or `replay of data/tape`. */
  readonly description: string;
}

/**
 * Opens the path of quotes with a new epoch. On a bus that nodes share, the feed's lease determines the epochs instead.
 * Call it when the board has the quotes of the earlier process.
 */
export async function openQuoteFlow(
  databases: Shards,
  opened: {
    /** The bus of several nodes; null for a process with a bus of its own. */
    readonly sharedBus: (QuoteBus & SourceViews) | null;
    readonly catalogue: Catalogue;
    readonly board: QuoteBoard;
    readonly prices: OpenedSource;
    readonly venues: OpenedVenues | null;
    readonly records: Pick<PriceRecords, "lastEpoch" | "recordFrom">;
  },
  log: Log,
): Promise<QuoteFlow> {
  const { board, catalogue, prices, venues, records } = opened;
  const { clock } = prices;
  const { instruments } = catalogue;
  const bus = opened.sharedBus ?? createLocalBus();
  records.recordFrom(bus);
  const priceChoices = createPriceChoices({
    store: createPriceChoiceStore(databases.first),
    clock,
  });
  await priceChoices.refresh();
  const gapHalts = createGapHalts({ instruments, board, choices: priceChoices, log });
  const intake = createQuoteIntake({
    epoch: opened.sharedBus === null ? await nextEpoch(databases.all, records.lastEpoch) : 0,
    instruments,
    outliers: DEFAULT_OUTLIER_FILTER,
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
    outliers: DEFAULT_OUTLIER_FILTER,
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
    warnings: () => venues.funding.warnings(),
  };
  return { intake, bus, priceChoices, gapHalts, feed, source, description: venues.description };
}

/** Logs the changes of speaking sources, in one line for all pairs with the same former and the same new source. */
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
