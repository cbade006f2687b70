import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Trader } from "../kills/kill-under-load.ts";
import {
  type Installation,
  openEmbeddedService,
  openNodePair,
  openSandboxOnFolder,
  type ProcessEnd,
  TRADED_PAIR,
} from "./installations.ts";
import {
  closePriceOf,
  followStopStream,
  placeOrder,
  type ReadAt,
  randomItem,
  type SeenStop,
  STOP_READS,
  type StopReading,
  type StopsAnswer,
} from "./shown-levels.ts";
import {
  type PositionDirection,
  type SentQuote,
  type TrailingDistance,
  TrailingStop,
} from "./trailing-stop.ts";

/** The result of a run over all installations. */
export interface StopsResult {
  /** The number of processes that were killed. */
  readonly kills: number;
  /** The number of processes that were stopped with SIGTERM. */
  readonly orderlyStops: number;
  readonly installations: readonly string[];
  /** The number of answers that showed the level of a stop, by the kind of the answer. */
  readonly readings: Readonly<Record<string, number>>;
  /** The number of times that the shown level of a stop was better than the level shown before it. */
  readonly moves: number;
  /** The number of positions that their stops closed. */
  readonly fills: number;
  readonly quotes: number;
  /** Shown levels of stops that fell for a LONG, rose for a SHORT, or follow from no quote. Must be empty. */
  readonly wrongLevels: readonly string[];
  /**
   * Closings at a price of no sent quote or before the stop's level, and positions that stay open past the level of
   * their stop. Must be empty.
   */
  readonly wrongFills: readonly string[];
}

const DAYS_OF_TAPE = 30;
const LOSSES: readonly ProcessEnd[] = ["kill", "kill", "stop"];
const START = 100_000;
const SPREAD = 2;
/** The largest step of the price: about a third of a trailing distance, so that stops move often and fill sometimes. */
const STEP = 140;
const DISTANCES: readonly TrailingDistance[] = [
  { by: "trailing_percent", amount: 0.004 },
  { by: "trailing_value", amount: 400 },
];
/** The lots of a position, worth 100 USD, so that hundreds of losing exits breach no limit of the account. */
const SIZE = 0.001;
const BETWEEN_QUOTES_MS = 30;
const UNTIL_LOSS_MS = 300;
const AFTER_FAILURE_MS = 30;
const POLL_MS = 5;
/** The number of reads that may still show a position after a quote has reached its stop. */
const OPEN_READS_MAX = 1_000;

/**
 * Moves prices while trailing stops are read, ends the service's process at random moments, and starts it again.
 * Compares each level of a stop in an answer with the levels that earlier answers have shown. With a PostgreSQL server,
 * two nodes are ended one after the other. Without one these are ended: the service, the service without a tape, and
 * the sandbox.
 */
export async function runStops(plan: {
  readonly losses: number;
  readonly serverUrl: string | null;
  /** Called after each loss of a process with the number of losses. */
  readonly onLoss?: (count: number) => void;
}): Promise<StopsResult> {
  const { losses, serverUrl, onLoss } = plan;
  const places =
    serverUrl === null
      ? [
          () => openEmbeddedService("service", DAYS_OF_TAPE),
          () => openEmbeddedService("service without a tape", 0),
          openSandboxOnFolder,
        ]
      : [() => openNodePair(serverUrl)];
  const totals = new Totals();
  const loseAll = async (open: () => Promise<Installation>, index: number): Promise<void> => {
    const place = await open();
    try {
      const count = Math.ceil((losses - index) / places.length);
      await runAtInstallation(place, {
        count,
        first: index,
        totals,
        onLoss: () => onLoss?.(totals.losses),
      });
    } finally {
      await place.close();
    }
  };
  const done = await Promise.allSettled(places.map(loseAll));
  for (const one of done) if (one.status === "rejected") throw one.reason;
  return totals.result();
}

/** The counts and findings over all installations. */
class Totals {
  readonly places: string[] = [];
  readonly readings = new Map<string, number>();
  readonly wrongLevels: string[] = [];
  readonly wrongFills: string[] = [];
  kills = 0;
  orderlyStops = 0;
  moves = 0;
  fills = 0;
  quotes = 0;

  get losses(): number {
    return this.kills + this.orderlyStops;
  }

  read(name: string): void {
    this.readings.set(name, (this.readings.get(name) ?? 0) + 1);
  }

  result(): StopsResult {
    const { kills, orderlyStops, places, moves, fills, quotes, wrongLevels, wrongFills } = this;
    const readings = Object.fromEntries(this.readings);
    return {
      kills,
      orderlyStops,
      installations: places,
      readings,
      moves,
      fills,
      quotes,
      wrongLevels,
      wrongFills,
    };
  }
}

async function runAtInstallation(
  place: Installation,
  plan: {
    readonly count: number;
    /** The number of this installation, which is the index in `LOSSES` of its first loss. */
    readonly first: number;
    readonly totals: Totals;
    readonly onLoss: () => void;
  },
): Promise<void> {
  const { count, first, totals, onLoss } = plan;
  totals.places.push(place.name);
  const market = new Market(place, totals);
  const traders: StoppedTrader[] = [];
  for (const direction of ["LONG", "SHORT"] as const) {
    for (const distance of DISTANCES) {
      const keys = await place.newTrader();
      traders.push(new StoppedTrader({ market, totals, keys, direction, distance }));
    }
  }
  const end = new AbortController();
  const work = [moveThePrice(market, traders, end.signal)];
  for (const trader of traders) {
    work.push(readUntilAborted(trader, end.signal));
    if (place.browsers.length > 0) work.push(followUntilAborted(trader, end.signal));
  }
  const losing = async (): Promise<void> => {
    for (let loss = 0; loss < count; loss += 1) {
      await untilAllRead(traders);
      await setTimeout(randomInt(1, UNTIL_LOSS_MS));
      const how = LOSSES[(first + loss) % LOSSES.length] ?? "kill";
      await market.lose(how, traders);
      if (how === "kill") totals.kills += 1;
      else totals.orderlyStops += 1;
      onLoss();
    }
    await untilAllRead(traders);
  };
  try {
    // A loop that throws ends the proof.
    await Promise.race([losing(), ...work]);
  } finally {
    end.abort();
    await Promise.allSettled(work);
    for (const trader of traders) trader.addMoves();
  }
}

/** Resolves when, since the call, an answer to each trader has shown the level of the trader's stop. */
async function untilAllRead(traders: readonly StoppedTrader[]): Promise<void> {
  const before = traders.map(({ shownCount }) => shownCount);
  while (traders.some(({ shownCount }, index) => shownCount === before[index])) {
    await setTimeout(POLL_MS);
  }
}

/** The quotes of the pair as they were sent. They have cents, so almost no two of them are equal. */
class Market {
  readonly installation: Installation;
  readonly quotes: SentQuote[] = [];
  readonly #totals: Totals;
  /** Increases when a process is about to end, and again when it has been restarted. */
  lossCount = 0;
  /** The index of the newest of `quotes` that may not have arrived; -1 when all have. */
  lastUncertain = -1;
  #pushing: Promise<unknown> = Promise.resolve();
  #isHeld = false;

  constructor(place: Installation, totals: Totals) {
    this.installation = place;
    this.#totals = totals;
  }

  nextQuote(): SentQuote {
    const cents = Math.round((this.quotes.at(-1)?.bid ?? START) * 100);
    const moved = cents + randomInt(-STEP * 100, STEP * 100 + 1);
    // The price jumps back to its start when it has moved away by more than a fifth.
    const next = Math.abs(moved / 100 - START) > START / 5 ? START * 100 : moved;
    return { bid: next / 100, ask: (next + SPREAD * 100) / 100 };
  }

  /** True while a process is stopped with SIGTERM and no quote may be sent. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Sends the quote. False when it may not have arrived. The models of the stops follow the quote in the same
   * synchronous step that adds it to `quotes`, so each open position has followed each quote exactly once.
   */
  push(quote: SentQuote, traders: readonly StoppedTrader[]): Promise<boolean> {
    this.quotes.push(quote);
    this.#totals.quotes += 1;
    for (const trader of traders) trader.follow(quote);
    const place = this.quotes.length - 1;
    const pushing = this.installation.push(quote).then(
      () => true,
      () => {
        this.lastUncertain = Math.max(this.lastUncertain, place);
        return false;
      },
    );
    this.#pushing = pushing;
    return pushing;
  }

  async lose(how: ProcessEnd, traders: readonly StoppedTrader[]): Promise<void> {
    const isSettled = how === "stop" && this.installation.settlesQuotes;
    if (isSettled) {
      this.#isHeld = true;
      await this.#pushing;
      for (const trader of traders) trader.settle();
    }
    this.lossCount += 1;
    await this.installation.lose(how);
    this.lossCount += 1;
    this.#isHeld = false;
  }

  /** The values for a read of an account at a random node. */
  at(keys: readonly Trader[], leg: string | null): ReadAt {
    const { installation } = this;
    const { baseUrls, browsers } = installation;
    const node = randomInt(baseUrls.length);
    const baseUrl = baseUrls[node] ?? "";
    const browser = browsers[node] ?? null;
    return { baseUrl, atMs: installation.now(), trader: randomItem(keys), browser, leg };
  }
}

/** The open position of a trader. */
interface OpenPosition {
  readonly positionUuid: string;
  readonly stop: TrailingStop;
  /** False when a quote was sent that may not have arrived. */
  isCertain: boolean;
}

/** A position whose shown level a quote reaches. */
interface ReachedPosition {
  readonly trader: StoppedTrader;
  readonly open: OpenPosition;
  readonly quote: SentQuote;
}

/** A trader's account with at most one position, which has a trailing stop. */
class StoppedTrader {
  readonly market: Market;
  readonly keys: readonly Trader[];
  readonly #totals: Totals;
  readonly #direction: PositionDirection;
  readonly #distance: TrailingDistance;
  readonly #closed = new Set<string>();
  #open: OpenPosition | null = null;
  /** The number of answers that have shown the level of the trader's stop. */
  shownCount = 0;

  constructor(of: {
    readonly market: Market;
    readonly totals: Totals;
    readonly keys: readonly Trader[];
    readonly direction: PositionDirection;
    readonly distance: TrailingDistance;
  }) {
    this.market = of.market;
    this.#totals = of.totals;
    this.keys = of.keys;
    this.#direction = of.direction;
    this.#distance = of.distance;
  }

  get open(): OpenPosition | null {
    return this.#open;
  }

  at(): ReadAt {
    const open = this.#open;
    return this.market.at(this.keys, open === null ? null : `${open.positionUuid}-bracket-0`);
  }

  /** Called before a read. Returns the function that compares its answer with the levels that were shown before. */
  begin(): (name: string, answer: StopsAnswer) => Promise<void> {
    const open = this.#open;
    const before = open?.stop.shown ?? null;
    return async (name, { stops, isWhole }) => {
      for (const seen of stops) {
        const { positionUuid, level, bestPrice } = seen;
        const found = this.#stopOf(seen);
        if (found === null) continue;
        const floor = found === open ? before : null;
        this.#compare(`${name}, ${positionUuid}`, { open: found, level, floor });
        if (bestPrice !== null) {
          this.#compare(`${name}, best price ${bestPrice}, ${positionUuid}`, {
            open: found,
            level: found.stop.levelOf(bestPrice),
            floor,
          });
        }
        this.#totals.read(name);
        this.shownCount += 1;
      }
      const isGone = !stops.some(({ positionUuid }) => positionUuid === open?.positionUuid);
      if (isWhole && isGone && open !== null) await this.#close(open);
    };
  }

  reachedBy(quote: SentQuote): readonly ReachedPosition[] {
    const open = this.#open;
    return open?.stop.isReached(quote) ? [{ trader: this, open, quote }] : [];
  }

  follow(quote: SentQuote): void {
    this.#open?.stop.follow(quote);
  }

  doubt(): void {
    if (this.#open !== null) this.#open.isCertain = false;
  }

  /** Called before a stop with SIGTERM, at which the service records the levels that trailing stops have reached. */
  settle(): void {
    if (this.#open?.isCertain && this.#open.stop.shown !== null) this.#open.stop.settle();
  }

  async order(): Promise<void> {
    const { by, amount } = this.#distance;
    await placeOrder(this.at(), {
      execution_type: "MARKET",
      trade_pair: TRADED_PAIR,
      order_type: this.#direction,
      quantity: SIZE,
      trailing_stop: { [by]: amount },
    });
  }

  /** Adds the moves of the open position to the totals. */
  addMoves(): void {
    this.#totals.moves += this.#open?.stop.moves ?? 0;
  }

  /** Reports a position that is still open after a quote that had to close it. */
  reportStillOpen({ positionUuid, stop }: OpenPosition, quote: SentQuote): void {
    const text = `open at ${quote.bid}, past the shown ${stop.shown}`;
    this.#totals.wrongFills.push(`${this.market.installation.name}, ${positionUuid}: ${text}`);
  }

  #stopOf({ positionUuid, entryPrice }: SeenStop): OpenPosition | null {
    if (this.#closed.has(positionUuid)) return null;
    if (this.#open !== null) return this.#open.positionUuid === positionUuid ? this.#open : null;
    if (entryPrice === null) return null;
    const { quotes, installation } = this.market;
    const isEntry = ({ bid, ask }: SentQuote): boolean =>
      (this.#direction === "LONG" ? ask : bid) === entryPrice;
    const at = quotes.findLastIndex(isEntry);
    const opened = quotes[at];
    if (opened === undefined) {
      this.#closed.add(positionUuid);
      this.#totals.wrongFills.push(
        `${installation.name}, ${positionUuid}: opened at ${entryPrice}, no quote`,
      );
      return null;
    }
    const stop = new TrailingStop(this.#direction, this.#distance, opened);
    for (const quote of quotes.slice(at + 1)) stop.follow(quote);
    // When an order's answer was lost, its position may be found only after quotes that did not arrive.
    this.#open = { positionUuid, stop, isCertain: this.market.lastUncertain <= at };
    return this.#open;
  }

  #compare(
    name: string,
    { open, level, floor }: { open: OpenPosition; level: number | null; floor: number | null },
  ): void {
    const wrong = level === null ? "no level" : open.stop.show(level, floor);
    if (wrong === null) return;
    this.#totals.wrongLevels.push(`${this.market.installation.name}, ${name}: ${wrong}`);
  }

  async #close(open: OpenPosition): Promise<void> {
    if (this.#open !== open) return;
    this.#open = null;
    this.#closed.add(open.positionUuid);
    this.#totals.moves += open.stop.moves;
    this.#totals.fills += 1;
    const price = await untilAnswered(() => closePriceOf(this.at(), open.positionUuid));
    const { quotes, installation } = this.market;
    const wrong = price === null ? "no trade" : open.stop.closedAt(price, quotes);
    if (wrong !== null) {
      this.#totals.wrongFills.push(`${installation.name}, ${open.positionUuid}: ${wrong}`);
    }
  }
}

/** Calls `ask` until it does not throw: the service may be down. */
async function untilAnswered<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await setTimeout(AFTER_FAILURE_MS);
    }
  }
}

/**
 * Sends quotes, waits until the positions close that a quote must close, and opens a position for each trader without
 * one.
 */
async function moveThePrice(
  market: Market,
  traders: readonly StoppedTrader[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (market.isHeld) {
      await setTimeout(POLL_MS);
      continue;
    }
    const quote = market.nextQuote();
    const isLost = createLossCheck(market, signal);
    const due = traders.flatMap((trader) => trader.reachedBy(quote));
    if (await market.push(quote, traders)) {
      for (const one of due) await untilClosed(one, isLost);
      for (const trader of traders) await openIfNone(trader);
      await setTimeout(randomInt(BETWEEN_QUOTES_MS));
    } else {
      for (const trader of traders) trader.doubt();
      await setTimeout(AFTER_FAILURE_MS);
    }
  }
}

/** Creates a function that is true when a process has ended since this call, or when the proof has ended. */
function createLossCheck(market: Market, signal: AbortSignal): () => boolean {
  const { lossCount } = market;
  return () => market.lossCount !== lossCount || signal.aborted;
}

/**
 * Reads until the position is closed. Reports it when many reads show it open, unless a process was ended meanwhile.
 */
async function untilClosed(
  { trader, open, quote }: ReachedPosition,
  isLost: () => boolean,
): Promise<void> {
  let reads = 0;
  while (reads < OPEN_READS_MAX) {
    if (trader.open !== open || isLost()) return;
    if (await readOnce(trader, STOP_READS[0])) reads += 1;
  }
  if (!isLost()) trader.reportStillOpen(open, quote);
}

async function openIfNone(trader: StoppedTrader): Promise<void> {
  if (trader.open !== null) return;
  // An order whose answer was lost may have been carried out.
  const isRead = await readOnce(trader, STOP_READS[0]);
  if (!isRead || trader.open !== null) return;
  try {
    await trader.order();
  } catch {
    // The next round reads whether the order was carried out.
  }
}

async function readUntilAborted(trader: StoppedTrader, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await readOnce(trader, randomItem(STOP_READS));
}

/** Reads the stops once and compares the answer. False when the service did not answer. */
async function readOnce(trader: StoppedTrader, reading: StopReading | undefined): Promise<boolean> {
  if (reading === undefined) throw new Error("broken invariant: a reading");
  const compare = trader.begin();
  let answer: StopsAnswer;
  try {
    answer = await reading.read(trader.at());
  } catch {
    await setTimeout(AFTER_FAILURE_MS);
    return false;
  }
  await compare(reading.name, answer);
  return true;
}

/** Compares each state of a stream with the levels that were shown when the previous state arrived. */
async function followUntilAborted(trader: StoppedTrader, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let compare = trader.begin();
    const take = (answer: StopsAnswer): void => {
      void compare("pages, stream", { ...answer, isWhole: false });
      compare = trader.begin();
    };
    await followStopStream(trader.at(), take, signal);
    await setTimeout(AFTER_FAILURE_MS);
  }
}
