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
import { OUTLIERS } from "./quotes/outlier-check.ts";
import { createLocalBus } from "./quotes/quote-bus.ts";
import { createQuoteIntake, type QuoteIntake } from "./quotes/quote-intake.ts";
import { openPriceSource } from "./registry.ts";
import { createRecordingTape } from "./tape/tape-writer.ts";
import { timerTicker } from "./ticker.ts";
import { openVenues } from "./venues/open-venues.ts";

/** How often quotes go to the disk; a kill loses those of this time. */
const FLUSH_MS = 1_000;

/** The figures of a recording. */
export interface RecordedPrices {
  readonly quotes: number;
  readonly pairs: number;
  /** Quotes that the intake rejected, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Accepted quotes that could not be written. */
  readonly lost: number;
  /** Rows of the price files that were not used. */
  readonly skipped: readonly SourceWarning[];
  /** Why a recording ended before its end; empty when it is whole. */
  readonly broken: readonly SourceWarning[];
}

export interface PriceRecording {
  /** Where prices come from, for people. */
  readonly description: string;
  /** Resolves when a replay was played to its end; never for other prices. */
  readonly ended: Promise<void>;
  /** Writes the rest and ends the recording. */
  stop(): Promise<RecordedPrices>;
}

/**
 * Records the prices that the settings select, without a service, an account or a database. Every pair's first source
 * is judged as in a service. Throws the errors of a service's start, and when the folder cannot be written.
 */
export async function recordPrices(
  settings: Settings,
  options: {
    readonly folder: string;
    readonly onRepair: (about: string) => void;
    /** Takes each line of the log. */
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
  // Files were read to their end when they were opened: what is added later ended the replay.
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
    outliers: OUTLIERS,
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
          choices: { of: () => null },
          outliers: OUTLIERS,
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

/** The sums over all sources and pairs. */
function rejections(intake: QuoteIntake): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { counts } of intake.rejected()) {
    for (const [reason, count] of Object.entries(counts)) {
      if (count > 0) sums[reason] = (sums[reason] ?? 0) + count;
    }
  }
  return sums;
}
