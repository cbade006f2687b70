import { type Instruments, type NewAction, type PairId, price, type UnixMs } from "@propgate/core";
import { openLog } from "../../../base/src/log.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { applyChoices } from "../../../market/src/prices/composition/apply-choices.ts";
import { createGapHalts } from "../../../market/src/prices/composition/gap-halts.ts";
import {
  createPriceChoices,
  type PriceChoices,
} from "../../../market/src/prices/composition/price-choices.ts";
import { createQuoteBoard, type QuoteBoard } from "../../../market/src/prices/quote-board.ts";
import { nextEpoch } from "../../../market/src/prices/quotes/epoch.ts";
import type { NumberedQuote } from "../../../market/src/prices/quotes/numbered-quote.ts";
import { DEFAULT_OUTLIER_FILTER } from "../../../market/src/prices/quotes/outlier-check.ts";
import { createLocalBus } from "../../../market/src/prices/quotes/quote-bus.ts";
import { createQuoteIntake } from "../../../market/src/prices/quotes/quote-intake.ts";
import type { TapeReader } from "../../../market/src/prices/tape/tape.ts";
import { createPriceChoiceStore } from "../../../market/src/storage/price-choice-store.ts";
import { createQuoteStore } from "../../../market/src/storage/quote-store.ts";
import { createManualEngine, type ManualEngine } from "./manual-engine.ts";
import { AAPL, SHARE_CATALOGUE } from "./share-market.ts";

/** A node whose prices pass through the intake with its checks to a tape and to the board. */
export interface ShareNode extends ManualEngine {
  readonly board: QuoteBoard;
  readonly choices: PriceChoices;
  /** The lines of the log with level `warn` and above. */
  readonly warnings: readonly string[];
  /** Sends a price of AAPL as its source does; true when it was accepted. */
  send(mid: number): Promise<boolean>;
  announce(action: NewAction, isAgain?: boolean): Promise<string>;
  /** Runs each job that the service runs every second, once. */
  second(): Promise<void>;
  choose(kind: "auto" | "halt"): Promise<void>;
}

/** The accepted quotes of all nodes, in memory. */
export interface SharedTape extends TapeReader {
  readonly quotes: NumberedQuote[];
}

export function createSharedTape(): SharedTape {
  const quotes: NumberedQuote[] = [];
  return {
    quotes,
    pairs: async () => [...new Set(quotes.map(({ pair }) => pair))],
    async *read(pair: PairId, { fromMs, toMs }) {
      yield quotes.filter(
        (one) => one.pair === pair && one.receivedAtMs >= fromMs && one.receivedAtMs < toMs,
      );
    },
  };
}

/** Starts a node on the database and the tape of earlier nodes. */
export async function startShareNode(
  database: Database,
  given: {
    readonly now: UnixMs;
    readonly tape: SharedTape;
    readonly instruments?: Instruments;
    readonly seed?: string;
  },
): Promise<ShareNode> {
  const { tape, instruments = SHARE_CATALOGUE } = given;
  const board = createQuoteBoard();
  await board.restore(createQuoteStore(database), given.now);
  const clock = { now: () => node.now };
  const choices = createPriceChoices({ store: createPriceChoiceStore(database), clock });
  await choices.refresh();
  const warnings: string[] = [];
  const log = openLog("warn", { write: (line) => void warnings.push(line) });
  const halts = createGapHalts({ instruments, board, choices, log });
  const bus = createLocalBus();
  bus.subscribe((quote) => void tape.quotes.push(quote));
  const intake = createQuoteIntake({
    epoch: await nextEpoch([database]),
    instruments,
    outliers: DEFAULT_OUTLIER_FILTER,
    bus,
    known: board.quotes,
    gaps: halts.gaps,
    inScale: (quote, at) => board.inScale(quote, at),
  });
  const engine = createManualEngine(database, {
    now: given.now,
    instruments,
    tape,
    chance: createSeededChance(given.seed ?? "share node"),
    flow: { board, bus, intake },
  });
  applyChoices({ choices, board, intake, market: engine.market, feed: null });
  const node: ShareNode = Object.assign(engine, {
    board,
    choices,
    warnings,
    async send(mid: number) {
      const before = intake.acceptedCount();
      await engine.market.publish([
        { pair: AAPL, bid: price(mid), ask: price(mid), atMs: node.now },
      ]);
      await engine.market.whenSettled();
      return intake.acceptedCount() > before;
    },
    async announce(action: NewAction, isAgain = false) {
      const announced = await engine.actions.announce(action, { by: "olga", isAgain });
      return "refused" in announced ? announced.refused : announced.status;
    },
    async second() {
      await choices.refresh();
      await engine.carryOutActions();
      await halts.liftExplained();
      await engine.market.sweep();
      await board.save(createQuoteStore(database));
    },
    async choose(kind: "auto" | "halt") {
      const chosen = { kind } as const;
      await choices.choose({ pair: AAPL, chosen, reason: null, by: "olga", expected: null });
    },
  });
  return node;
}
