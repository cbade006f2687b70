import type { Clock } from "@propgate/base";
import { type Instruments, type Quote, type UnixMs, unixMs } from "@propgate/core";
import {
  isRecorded,
  type PriceSource,
  type Publish,
  type RecordedQuote,
  type SourceWarning,
} from "../port.ts";
import { verifyTapeFiles } from "../tape/verify-tape.ts";
import type { Ticker, Ticking } from "../ticker.ts";
import { mergeQuotes, playedAtMs, type QuoteInstant } from "./merged-quotes.ts";
import { openPriceFile } from "./price-file.ts";
import { PriceFileError, PriceRowsError } from "./price-file-error.ts";
import { openRecording, parseRecording, type Recording, type TapeRecording } from "./recording.ts";
import { createReplayClock, type ReplayClock } from "./replay-clock.ts";
import { createRowTally } from "./row-tally.ts";

const TICK_MS = 20;
/** The maximum time for which quotes are played without a pause. A longer time would delay requests. */
const LONGEST_STRETCH_MS = 40;
/** The time between the last quote of a lap and the first of the next, in the time of the data. */
const LAP_PAUSE_MS = 60_000;

export interface ReplayOptions {
  /** The recordings, each as its path or `PAIR=path`: files of rows, tape files, or folders of tapes. At least one. */
  readonly files: readonly string[];
  readonly instruments: Instruments;
  /** How many milliseconds of data pass in one real millisecond; above zero. */
  readonly speed: number;
  /** `now`: quotes get the present time. `own`: the service runs on the time of the data. */
  readonly rebase: "now" | "own";
  /** True restarts at the end of the data instead of stopping. */
  readonly loop: boolean;
  /** The maximum share of a file's rows that may be unusable, in percent. */
  readonly maxUnusablePct: number;
  /** The real clock. It sets the pace of the replay, and with `now` the times of the quotes. */
  readonly clock: Clock;
  readonly ticker: Ticker;
}

/** An open replay of recorded prices, with the clock that fits it. */
export interface Replay {
  readonly source: PriceSource;
  /** The clock for the whole service: the replay's with `own`, else the given one. */
  readonly clock: Clock;
  /** Resolves when the last quote was published; never with `loop`. */
  readonly ended: Promise<void>;
}

/**
 * Opens recorded prices. Throws a `PriceFileError` with the file and the problem when a file cannot be used at all or
 * no file is given, and a `PriceRowsError` when too many of its rows are unusable or a tape was altered. Each file is
 * read to its end first, so no quote of a refused file is played or recorded. Single invalid rows become warnings.
 */
export async function openReplay(options: ReplayOptions): Promise<Replay> {
  if (options.files.length === 0) throw new PriceFileError("replay: no price file is given");
  const files: Recording[] = [];
  for (const file of options.files) files.push(await parseRecording(file, options.instruments));
  const skipped: SourceWarning[] = [];
  for (const file of files) skipped.push(...(await checkRecording(file, options.maxUnusablePct)));
  const nextLap = () => openLap(files);
  const first = await nextLap();
  const start = await first.next();
  if (start.done === true) {
    throw new PriceFileError(`${files.map((file) => file.path).join(", ")}: no row can be used`);
  }
  const clock = createReplayClock({
    startMs: playedAtMs(start.value[0]),
    speed: options.speed,
    pace: options.clock,
  });
  const laps = playLaps({ first, start: start.value, nextLap, loop: options.loop });
  const { source, ended } = createPlayback({ options, clock, laps, skipped });
  return { source, ended, clock: options.rebase === "own" ? clock : options.clock };
}

/**
 * Reads the recording to its end. Resolves with warnings about what is skipped. @throws PriceRowsError when it is
 * refused
 */
async function checkRecording(
  file: Recording,
  maxUnusablePct: number,
): Promise<readonly SourceWarning[]> {
  if (file.kind === "tape") return checkTape(file);
  const tally = createRowTally(file.path);
  for await (const _ of await openPriceFile(file, tally));
  const refusal = tally.refusal(maxUnusablePct);
  if (refusal !== null) throw new PriceRowsError(refusal);
  return tally.warnings();
}

async function checkTape({ pairs }: TapeRecording): Promise<readonly SourceWarning[]> {
  const { faults, unfinished } = await verifyTapeFiles(pairs);
  const [fault] = faults;
  if (fault !== undefined) {
    const { path, chunk, reason } = fault;
    throw new PriceRowsError(
      chunk === 0 ? `${path}: ${reason}` : `${path}: chunk ${chunk}: ${reason}`,
      "Replay another copy of it. propgate prices verify names every damaged file of a tape.",
    );
  }
  const reason = "unfinished write at the end is left out";
  return unfinished.map((source) => ({ source, reason, count: 1, first: null }));
}

/** Opens all files for one lap. Their rows were counted before, so the tallies of a lap are not used. */
async function openLap(files: readonly Recording[]): Promise<AsyncGenerator<QuoteInstant>> {
  const streams: AsyncGenerator<readonly Quote[]>[] = [];
  for (const file of files) streams.push(await openRecording(file, createRowTally(file.path)));
  return mergeQuotes(streams);
}

interface Laps {
  readonly first: AsyncGenerator<QuoteInstant>;
  readonly start: QuoteInstant;
  readonly nextLap: () => Promise<AsyncGenerator<QuoteInstant>>;
  readonly loop: boolean;
}

/**
 * Plays the files once, or with `loop` lap after lap. Each further lap is moved in time so that it begins after the
 * previous one: time never goes back.
 */
async function* playLaps({ first, start, nextLap, loop }: Laps): AsyncGenerator<QuoteInstant> {
  try {
    yield start;
    const startMs = playedAtMs(start[0]);
    let lastMs = startMs;
    let movedMs = 0;
    for (let lap = first; ; lap = await nextLap()) {
      for await (const instant of lap) {
        lastMs = unixMs(playedAtMs(instant[0]) + movedMs);
        yield movedMs === 0 ? instant : stampInstant(instant, lastMs);
      }
      if (!loop) return;
      movedMs = lastMs + LAP_PAUSE_MS - startMs;
    }
  } finally {
    await first.return(undefined);
  }
}

interface Playback {
  readonly options: ReplayOptions;
  readonly clock: ReplayClock;
  readonly laps: AsyncGenerator<QuoteInstant>;
  readonly skipped: readonly SourceWarning[];
}

function createPlayback({
  options,
  clock,
  laps,
  skipped,
}: Playback): Pick<Replay, "source" | "ended"> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let ticking: Ticking | null = null;
  let stopped = false;
  let next: QuoteInstant | null = null;

  const broken: SourceWarning[] = [];
  const drawNext = async (): Promise<QuoteInstant | null> => {
    try {
      const drawn = await laps.next();
      return drawn.done === true ? null : drawn.value;
    } catch (cause) {
      // The files were valid when the replay started. When one of them cannot be read later, the replay ends with a
      // warning.
      if (!(cause instanceof PriceFileError)) throw cause;
      broken.push({ source: "replay", reason: cause.message, count: 1, first: null });
      return null;
    }
  };
  const draw = async () => {
    next = await drawNext();
    clock.holdAt(next === null ? null : playedAtMs(next[0]));
    if (next === null) end();
  };
  const playDue = async (publish: Publish) => {
    const until = options.clock.now() + LONGEST_STRETCH_MS;
    while (next !== null && !stopped && playedAtMs(next[0]) <= clock.undelayedMs()) {
      clock.advanceTo(playedAtMs(next[0]));
      await publish(options.rebase === "own" ? next : stampInstant(next, options.clock.now()));
      await draw();
      if (options.clock.now() > until) return;
    }
  };
  const source: PriceSource = {
    name: "replay",
    async start(publish) {
      await draw();
      clock.begin();
      ticking = options.ticker.start(TICK_MS, () => playDue(publish));
    },
    async stop() {
      stopped = true;
      await ticking?.stop();
      await laps.return(undefined);
    },
    warnings: () => [...skipped, ...broken],
  };
  return { source, ended };
}

function stampInstant(instant: QuoteInstant, atMs: UnixMs): QuoteInstant {
  const [first, ...others] = instant;
  return [moveQuoteTo(first, atMs), ...others.map((quote) => moveQuoteTo(quote, atMs))];
}

/**
 * Moves a quote to another time. A recorded quote keeps the difference between its time and the time of its receipt.
 */
function moveQuoteTo(quote: Quote, atMs: UnixMs): Quote {
  if (!isRecorded(quote)) return { ...quote, atMs };
  const by = atMs - quote.receivedAtMs;
  const madeAtMs = quote.madeAtMs === null ? null : unixMs(quote.madeAtMs + by);
  const moved: RecordedQuote = {
    ...quote,
    atMs: unixMs(quote.atMs + by),
    madeAtMs,
    receivedAtMs: atMs,
  };
  return moved;
}
