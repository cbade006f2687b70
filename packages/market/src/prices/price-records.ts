import { join } from "node:path";
import type { Clock, Job, Log, Settings } from "@propgate/base";
import { unixMs } from "@propgate/core";
import { type Database, limitStatements } from "@propgate/ledger";
import { type CandleStore, createCandleStore } from "../storage/candle-store.ts";
import type { CandleReader } from "./candles/candle-reader.ts";
import { createStoredCandles, type StoredCandles } from "./candles/stored-candles.ts";
import type { QuoteBus } from "./quotes/quote-bus.ts";
import type { TapeReader } from "./tape/tape.ts";
import { createTapeReader } from "./tape/tape-reader.ts";
import { removeOldTape } from "./tape/tape-retention.ts";
import { createRecordingTape, type RecordingTape } from "./tape/tape-writer.ts";

/**
 * The time between two runs of the jobs that write the tape to disk and store candles. A killed process loses at most
 * the quotes of this time.
 */
const FLUSH_MS = 5_000;
const RETENTION_MS = 600_000;
const MS_PER_DAY = 86_400_000;

/** The tape and the candles of a running service. A failure of either does not stop or delay trading. */
export interface PriceRecords {
  /** The greatest epoch on the tape, 0 without one. The feed's next epoch must be greater. */
  readonly lastEpoch: number;
  /** Reads the recorded quotes; null when quotes are not recorded. */
  readonly tape: TapeReader | null;
  /** Reads the stored candles; null when candles are not stored. */
  readonly candles: CandleReader | null;
  /** Records the quotes that the bus carries after this call. */
  recordFrom(bus: QuoteBus): void;
  /** The repeated work: writing the tape, storing candles, and removing what is too old. */
  readonly jobs: readonly Job[];
  /**
   * Writes the accepted quotes that are not on the tape yet, and stores the candles that are not stored yet. Failures
   * are logged.
   */
  close(): Promise<void>;
}

export interface PriceRecordsOptions {
  readonly settings: Pick<Settings, "dataDir" | "tapeDays" | "candleDays" | "natsUrl">;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** The folder of a service's tape, inside the service's data folder. */
export function tapeFolder(dataDir: string): string {
  return join(dataDir, "tape");
}

/**
 * The reads of candle lists, which may span years. They share one database connection, so they do not delay other
 * statements. @rule D13.candleConnection decides
 */
function onOneConnection(database: Database): Pick<CandleStore, "minutes" | "hours" | "days"> {
  const store = createCandleStore(limitStatements(database, 1));
  return {
    minutes: (pair, range) => store.minutes(pair, range),
    hours: (pair, range) => store.hours(pair, range),
    days: (pair, range) => store.days(pair, range),
  };
}

/** Opens the tape to continue after its last quote, and counts the candles that a killed process did not store. */
export async function openPriceRecords(options: PriceRecordsOptions): Promise<PriceRecords> {
  const { settings, database, clock, log } = options;
  const folder = tapeFolder(settings.dataDir);
  const onRepair = (about: string): void => log.warn({ about }, "the tape was repaired");
  const tape = settings.tapeDays === 0 ? null : createRecordingTape({ folder, onRepair });
  const store = createCandleStore(database);
  const onProblem = (about: string): void => log.warn({ about }, "candles are not complete");
  const candles =
    settings.candleDays === 0
      ? null
      : createStoredCandles({
          store: { ...store, ...onOneConnection(database) },
          clock,
          isShared: settings.natsUrl !== null,
          onProblem,
        });
  const isOpen = await tryOpen(tape, log);
  if (isOpen) await candles?.catchUp(folder);
  const retention: Job = {
    name: "tape and candle retention",
    everyMs: RETENTION_MS,
    async run() {
      const before = (days: number) => unixMs(Math.max(0, clock.now() - days * MS_PER_DAY));
      if (tape !== null) await removeOldTape(folder, before(settings.tapeDays));
      if (candles !== null) await store.remove(before(settings.candleDays));
    },
  };
  return {
    lastEpoch: tape?.lastEpoch() ?? 0,
    tape: tape === null ? null : createTapeReader(folder),
    candles,
    recordFrom(bus) {
      bus.subscribe((quote) => {
        tape?.write(quote);
        candles?.take(quote);
      });
    },
    jobs: [...tapeJobs(tape, log), ...candleJobs(candles), retention],
    async close() {
      await logFailure(tape?.close(), { log, problem: "the last quotes are not on the tape" });
      await logFailure(candles?.close(), { log, problem: "the newest candles could not be saved" });
    },
  };
}

/**
 * Opens the tape. False when quotes are not recorded, and when the tape cannot be opened; the job `tape` then tries
 * again.
 */
async function tryOpen(tape: RecordingTape | null, log: Log): Promise<boolean> {
  try {
    await tape?.open();
    return tape !== null;
  } catch (cause) {
    log.error({ err: cause }, "the tape cannot be opened; quotes are not recorded until it can");
    return false;
  }
}

function tapeJobs(tape: RecordingTape | null, log: Log): readonly Job[] {
  if (tape === null) return [];
  let lost = 0;
  const run = async (): Promise<void> => {
    await tape.flush();
    const now = tape.tally().lost;
    if (now > lost) log.error({ quotes: now - lost }, "quotes are missing on the tape");
    lost = now;
  };
  return [{ name: "tape", everyMs: FLUSH_MS, run }];
}

function candleJobs(candles: StoredCandles | null): readonly Job[] {
  return candles === null
    ? []
    : [{ name: "candles", everyMs: FLUSH_MS, run: () => candles.storeEndedHours() }];
}

async function logFailure(
  work: Promise<void> | undefined,
  { log, problem }: { readonly log: Log; readonly problem: string },
): Promise<void> {
  try {
    await work;
  } catch (cause) {
    log.error({ err: cause }, problem);
  }
}
