import {
  type AccountId,
  type AccountState,
  type Instruments,
  isFresh,
  isOpen,
  type PairId,
  type Quote,
  triggerLevels,
} from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Executor, VersionedState } from "../network/executor-port.ts";
import { createEquityWatch } from "./equity-watch.ts";
import type { Publish } from "./port.ts";
import type { QuoteBoard, QuoteOrigin, QuoteVerdict } from "./quote-board.ts";
import { createSettlements } from "./settlements.ts";
import { createTriggerBook, type WatchLevel } from "./trigger-book.ts";

export interface MarketLoopOptions {
  readonly executor: Executor;
  readonly board: QuoteBoard;
  readonly instruments: Instruments;
  readonly clock: Clock;
  /** A settlement whose fate is unknown; its prices are tried again with the next quote. */
  readonly onFault: (cause: unknown) => void;
}

/**
 * Brings prices to the accounts they matter to. Each price is on the board alone with those of its
 * instant until everything it triggered has been committed; only then comes the next.
 */
export interface MarketLoop {
  /** Takes over accounts as they were committed before the loop was made. */
  restore(accounts: Iterable<VersionedState>): void;
  /** For price sources. Resolves when everything these quotes triggered has been committed. */
  readonly publish: Publish;
  /** For quotes given by hand, which are always believed; tells what became of each. */
  give(quotes: readonly Quote[]): Promise<readonly QuoteVerdict[]>;
  /** Looks at the newest quotes again, for time has passed: a market may have opened. */
  sweep(): Promise<void>;
  /** Resolves when nothing that was triggered is on its way, follow-ups included. */
  settled(): Promise<void>;
}

export function createMarketLoop(options: MarketLoopOptions): MarketLoop {
  const { board, executor, instruments } = options;
  const triggers = createTriggerBook();
  const equity = createEquityWatch(instruments);
  const known = new Map<AccountId, Known>();

  const canTrigger = (pair: PairId): Quote | null => {
    const quote = board.quote(pair);
    const instrument = instruments.get(pair);
    if (quote === null || instrument === undefined) return null;
    const now = options.clock.now();
    return isFresh(quote, instrument, now) && isOpen(instrument.session, now) ? quote : null;
  };
  const observe = (account: VersionedState): void => {
    const { state, version } = account;
    const before = known.get(state.accountId);
    if (before !== undefined && before.version >= version) return;
    const isQuiet = state.positions.length === 0 && state.orders.length === 0;
    known.set(state.accountId, { version, state: isQuiet ? null : state });
    if (isQuiet && (before === undefined || before.state === null)) return;
    triggers.replace(state.accountId, state.status === "active" ? levelsOf(state) : []);
    const isBreached = equity.replace(state, board.quotes);
    if (isBreached || triggers.reaches(state.accountId, canTrigger)) {
      settlements.nominate(state.accountId);
    }
  };
  const settlements = createSettlements({ executor, observe, onFault: options.onFault });
  executor.onCommit((accounts) => {
    for (const account of accounts) observe(account);
  });

  const nominate = (quotes: readonly Quote[]): void => {
    const nominated = new Set<AccountId>();
    const inDoubt = new Set<AccountId>();
    for (const quote of quotes) {
      if (canTrigger(quote.pair) !== null) triggers.collect(quote, nominated);
      equity.collect(quote, inDoubt);
    }
    for (const accountId of inDoubt) {
      const state = known.get(accountId)?.state ?? null;
      if (state !== null && equity.replace(state, board.quotes)) nominated.add(accountId);
    }
    for (const accountId of nominated) settlements.nominate(accountId);
  };

  const take = async (quotes: readonly Quote[], origin: QuoteOrigin) => {
    const verdicts: QuoteVerdict[] = [];
    for (const wave of wavesOf(quotes)) {
      if (settlements.pending > 0) await settlements.current();
      const verdictsOfWave = wave.map((quote) => board.offer(quote, origin));
      verdicts.push(...verdictsOfWave);
      nominate(wave.filter((_, index) => verdictsOfWave[index] === "accepted"));
    }
    if (settlements.pending > 0) await settlements.current();
    return verdicts;
  };
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  return {
    restore(accounts) {
      for (const account of accounts) observe(account);
    },
    publish: async (quotes) => void (await inTurn(() => take(quotes, "feed"))),
    give: (quotes) => inTurn(() => take(quotes, "hand")),
    sweep: () =>
      inTurn(async () => {
        nominate([...board.quotes.values()]);
        await settlements.current();
      }),
    async settled() {
      await inTurn(() => settlements.all());
    },
  };
}

/** Every price that does something to the account, a trailing stop's next best one included. */
function levelsOf(state: AccountState): readonly WatchLevel[] {
  return state.orders.flatMap((order) =>
    triggerLevels(order).map(({ side, when, price }) => ({ pair: order.pair, side, when, price })),
  );
}

interface Known {
  readonly version: number;
  /** Null: nothing of the account depends on a price. */
  readonly state: AccountState | null;
}

/**
 * Cuts a batch where a pair comes a second time: the quotes of one part can be settled together,
 * for none of them hides another from what it triggers.
 */
function* wavesOf(quotes: readonly Quote[]): Generator<readonly Quote[]> {
  let wave: Quote[] = [];
  const seen = new Set<PairId>();
  for (const quote of quotes) {
    if (seen.has(quote.pair)) {
      yield wave;
      wave = [];
      seen.clear();
    }
    seen.add(quote.pair);
    wave.push(quote);
  }
  if (wave.length > 0) yield wave;
}
