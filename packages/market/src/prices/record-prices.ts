import {
  createHousekeeping,
  openLog,
  type Settings,
  secretSettings,
  systemChance,
  systemClock,
  systemTimer,
} from "@propgate/base";
import { loadCatalogue } from "../catalogue/catalogue.ts";
import { createLiveFeed } from "./composition/live-feed.ts";
import type { SourceWarning } from "./port.ts";
import { offerQuote } from "./quotes/offer-quote.ts";
import { DEFAULT_OUTLIER_FILTER } from "./quotes/outlier-check.ts";
import { createLocalBus } from "./quotes/quote-bus.ts";
import { createQuoteIntake, type QuoteIntake } from "./quotes/quote-intake.ts";
import { openPriceSource } from "./registry.ts";
import { createRecordingTape } from "./tape/tape-writer.ts";
import { timerTicker } from "./ticker.ts";
import { openVenues } from "./venues/open-venues.ts";

/** The time between two writes to disk. A killed process loses at most the quotes of this time. */
const FLUSH_MS = 1_000;

/** The figures of a recording that has ended. */
export interface RecordingTotals {
  readonly quotes: number;
  readonly pairs: number;
  /** How many quotes the intake rejected, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** How many accepted quotes could not be written. */
  readonly lost: number;
  /** The rows of replayed price files that were not used. */
  readonly skipped: readonly SourceWarning[];
  /** Why a replay ended before the end of its data; empty when it reached the end. */
  readonly broken: readonly SourceWarning[];
}

/** A recording of prices in progress, which writes them to a tape. */
export interface PriceRecording {
  /** The source of the prices as people read it, such as `simulated` or `replay of data/tape`. */
  readonly description: string;
  /** Resolves when a replay has reached its end; never for other prices. */
  readonly ended: Promise<void>;
  /** Writes the remaining quotes and ends the recording. */
  stop(): Promise<RecordingTotals>;
}

/**
 * Records the prices that the settings select, without a service, an account or a database. Quotes are judged as in a
 * service, but without an operator's choices, corporate actions and the check of session gaps. Throws the same errors
 * as the start of a service, and an error when the folder cannot be written.
 */
export async function recordPrices(
  settings: Settings,
  options: {
    readonly folder: string;
    readonly onRepair: (about: string) => void;
    /** Called with each line of the log. */
    readonly writeLog: (line: string) => void;
  },
): Promise<PriceRecording> {
  const { instruments, simulated, symbols } = await loadCatalogue(settings.cataloguePath);
  const log = openLog(settings.logLevel, {
    secrets: secretSettings(settings),
    write: options.writeLog,
  });
  const bus = createLocalBus();
  const around = { instruments, clock: systemClock };
  const venues = await openVenues({
    ...around,
    settings,
    symbols,
    timer: systemTimer,
    chance: systemChance,
    log,
  });
  const prices = await openPriceSource(settings, {
    ...around,
    simulated,
    quotes: bus.snapshot(),
    ticker: timerTicker,
  });
  // Files are read to their end when they are opened, so all warnings about skipped rows exist here. Later warnings
  // tell why the replay ended early.
  const skipped = prices.source.warnings();
  const tape = createRecordingTape(options);
  await tape.open();
  let quotes = 0;
  bus.subscribe((quote) => {
    quotes += 1;
    tape.write(quote);
  });
  const intake = createQuoteIntake({
    epoch: tape.lastEpoch() + 1,
    instruments,
    outliers: DEFAULT_OUTLIER_FILTER,
    bus,
    known: bus.snapshot(),
  });
  const housekeeping = createHousekeeping({ clock: systemClock, timer: systemTimer, log });
  housekeeping.start([{ name: "tape", everyMs: FLUSH_MS, run: () => tape.flush() }]);
  const feed =
    venues === null
      ? null
      : createLiveFeed({
          ...venues,
          ...around,
          choices: { choiceOf: () => null },
          outliers: DEFAULT_OUTLIER_FILTER,
          newest: (pair) => intake.newest(pair),
          accept: (quote) => intake.offer(quote, "composed"),
          onChanges: () => undefined,
        });
  if (feed !== null) await feed.start();
  else {
    await prices.source.start(async (batch) => {
      for (const quote of batch) offerQuote(intake, quote, { source: prices.source.name });
    });
  }
  return {
    description: venues?.description ?? prices.description,
    ended: prices.ended ?? new Promise(() => undefined),
    async stop() {
      await feed?.stop();
      await prices.source.stop();
      await housekeeping.stop();
      await tape.close();
      const rejected = rejections(intake);
      const broken = venues === null ? prices.source.warnings().slice(skipped.length) : [];
      const { lost } = tape.tally();
      return { quotes, pairs: bus.snapshot().size, rejected, lost, skipped, broken };
    },
  };
}

/** The rejections of all sources and pairs, summed by reason. */
function rejections(intake: QuoteIntake): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { counts } of intake.rejectedQuotes()) {
    for (const [reason, count] of Object.entries(counts)) {
      if (count > 0) sums[reason] = (sums[reason] ?? 0) + count;
    }
  }
  return sums;
}
