import {
  type AccountId,
  type AccountState,
  accountId,
  type Command,
  type CorporateAction,
  type Instruments,
  type PairId,
  price,
  type Terms,
  type UnixMs,
} from "@propgate/core";
import type { Execution } from "../../../ledger/src/trading/executor-port.ts";
import { withFormerCarry } from "../../../market/src/catalogue/compare-catalogues.ts";
import { applyChoices } from "../../../market/src/prices/composition/apply-choices.ts";
import {
  createPriceChoices,
  type PriceChoices,
} from "../../../market/src/prices/composition/price-choices.ts";
import { createMarketLoop, type MarketLoop } from "../../../market/src/prices/market-loop.ts";
import { createQuoteBoard, type QuoteBoard } from "../../../market/src/prices/quote-board.ts";
import { DEFAULT_OUTLIER_FILTER } from "../../../market/src/prices/quotes/outlier-check.ts";
import { createLocalBus } from "../../../market/src/prices/quotes/quote-bus.ts";
import {
  createQuoteIntake,
  type QuoteIntake,
} from "../../../market/src/prices/quotes/quote-intake.ts";
import type {
  PriceChoice,
  PriceChoiceStore,
} from "../../../market/src/storage/price-choice-store.ts";
import type { QuoteStore, StoredQuote } from "../../../market/src/storage/quote-store.ts";
import { TEST_OWNER } from "./counting-decider.ts";
import { createMemoryExecutor, type MemoryExecutor } from "./memory-executor.ts";
import { AAPL } from "./weeks-market.ts";

interface Running {
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  readonly executor: MemoryExecutor;
  readonly loop: MarketLoop;
  readonly choices: PriceChoices;
}

/**
 * A service of one process without a database: the real network, board, intake, price choices and market loop. The
 * price choices are the operator's settings for the prices of pairs. The service restarts on its own accounts, quotes
 * and price choices, and `second` does the service's work of a second.
 */
export class WeeksNode {
  now: UnixMs;
  readonly faults: unknown[] = [];
  readonly #actions: CorporateAction[] = [];
  readonly #quotes: QuoteStore = memoryQuotes();
  readonly #choices: PriceChoiceStore = memoryChoices();
  #instruments: Instruments = new Map();
  #running: Running | null = null;
  #starts = 0;
  #opened = 0;

  constructor(now: UnixMs) {
    this.now = now;
  }

  async start(present: Instruments): Promise<void> {
    this.#starts += 1;
    const { now } = this;
    const instruments = withFormerCarry(this.#instruments, present, now);
    this.#instruments = instruments;
    const clock = { now: () => this.now };
    const board = createQuoteBoard();
    await board.restore(this.#quotes, now);
    const choices = createPriceChoices({ store: this.#choices, clock });
    await choices.refresh();
    const intake = createQuoteIntake({
      epoch: this.#starts,
      instruments,
      outliers: DEFAULT_OUTLIER_FILTER,
      bus: createLocalBus(),
      known: board.quotes,
      inScale: (quote, at) => board.inScale(quote, at),
    });
    const executor = createMemoryExecutor({
      clock,
      quotes: board.quotes,
      instruments,
      bests: (id, version) => loop.bests(id, version),
      actions: () => new Map([[AAPL, this.#actions]]),
      accounts: this.#running?.executor.all() ?? [],
    });
    const loop = createMarketLoop({
      executor,
      board,
      intake,
      source: "weeks",
      instruments,
      clock,
      onFault: (cause) => void this.faults.push(cause),
    });
    applyChoices({ choices, board, intake, market: loop, feed: null });
    this.#running = { board, intake, executor, loop, choices };
    this.#adjust();
    loop.watchAccounts(executor.all());
  }

  async open(terms: Terms): Promise<AccountId> {
    this.#opened += 1;
    const id = accountId(`00000000-0000-4000-8000-${String(this.#opened).padStart(12, "0")}`);
    const account = { accountId: id, ownerId: TEST_OWNER, terms, provisioned: true };
    await this.submit(id, { type: "openAccount", ...account });
    return id;
  }

  state(id: AccountId): AccountState {
    return this.#on.executor.account(id).state;
  }

  /** Sends a price as its source does; true when it was accepted. */
  async send(pair: PairId, mid: number): Promise<boolean> {
    const { loop, intake } = this.#on;
    const before = intake.acceptedCount();
    await loop.publish([{ pair, bid: price(mid), ask: price(mid), atMs: this.now }]);
    await loop.whenSettled();
    return intake.acceptedCount() > before;
  }

  async choose(kind: "auto" | "halt", pair: PairId): Promise<void> {
    const chosen = { kind } as const;
    await this.#on.choices.choose({ pair, chosen, reason: null, by: "olga", expected: null });
  }

  async submit(id: AccountId, command: Command): Promise<Execution> {
    const done = await this.#on.executor.send(id, command);
    await this.#on.loop.whenSettled();
    return done;
  }

  announce(action: CorporateAction): void {
    this.#actions.push(action);
  }

  async second(): Promise<void> {
    const { executor, loop, board } = this.#on;
    this.#adjust();
    for (const { state } of executor.all()) {
      if (state.status === "active") await executor.send(state.accountId, { type: "passTime" });
    }
    await loop.sweep();
    await loop.whenSettled();
    await board.save(this.#quotes);
  }

  get #on(): Running {
    if (this.#running === null) throw new Error("a node that was started");
    return this.#running;
  }

  #adjust(): void {
    const due = this.#actions.filter(({ atMs }) => atMs <= this.now);
    this.#on.board.adjust(new Map([[AAPL, due]]), this.now);
  }
}

function memoryQuotes(): QuoteStore {
  const quotes = new Map<PairId, StoredQuote>();
  return {
    async save(given) {
      for (const one of given) quotes.set(one.quote.pair, one);
    },
    load: async () => [...quotes.values()],
  };
}

function memoryChoices(): PriceChoiceStore {
  const choices = new Map<PairId, PriceChoice>();
  return {
    async choose(given) {
      const choice = { ...given, version: (choices.get(given.pair)?.version ?? 0) + 1 };
      choices.set(given.pair, choice);
      return choice;
    },
    list: async () => [...choices.values()],
  };
}
