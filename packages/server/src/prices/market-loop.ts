import type { AccountId, Instruments, PairId, Quote } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Executor, VersionedState } from "../network/executor-port.ts";
import { type AccountWatch, createAccountWatch } from "./account-watch.ts";
import type { Publish } from "./port.ts";
import type { QuoteBoard, QuoteOrigin, QuoteVerdict } from "./quote-board.ts";
import { createSettlements, type Settlements } from "./settlements.ts";

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
 * instant until every order it reached, and every account it ended or passed, has been committed;
 * only then comes the next.
 *
 * A new low of a pro account is the exception, because a falling market brings one with each quote:
 * it holds no later call's prices up. A source that waits for each call has every low recorded.
 * When calls come faster than lows are committed, each account is settled at the newest prices when
 * its turn comes, and a low that has recovered by then is not recorded.
 */
export interface MarketLoop {
  /** Takes over accounts as they were committed before the loop was made, or by another process. */
  takeOver(accounts: Iterable<VersionedState>): void;
  /** The version of the account that is watched; 0: none. */
  watched(accountId: AccountId): number;
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
  const { board, executor } = options;
  const watch: AccountWatch = createAccountWatch({ ...options, settlements: () => settlements });
  const settlements: Settlements = createSettlements({
    executor,
    observe: (account) => watch.observe(account),
    onUnchanged: (account) => watch.lookAgain(account),
    onFault: options.onFault,
  });
  executor.onCommit((accounts) => {
    for (const account of accounts) watch.observe(account);
  });

  const doubtful = new Set<AccountId>();
  executor.onUnknownFate((accounts) => {
    for (const accountId of accounts) doubtful.add(accountId);
  });
  /** What a commit made that nobody heard of is not watched: settling the account shows it. */
  const resolveDoubts = (): void => {
    for (const accountId of doubtful) settlements.nominate(accountId);
    doubtful.clear();
  };

  const take = async (quotes: readonly Quote[], origin: QuoteOrigin): Promise<Taken> => {
    const verdicts: QuoteVerdict[] = [];
    let lows: readonly Promise<void>[] = [];
    for (const wave of wavesOf(quotes)) {
      // Prices of one call wait for each other's lows as well.
      await Promise.all(lows);
      await settlements.current();
      const verdictsOfWave = wave.map((quote) => board.offer(quote, origin));
      verdicts.push(...verdictsOfWave);
      lows = watch.nominate(wave.filter((_, index) => verdictsOfWave[index] === "accepted"));
      resolveDoubts();
    }
    await settlements.current();
    return { verdicts, lows };
  };
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };

  return {
    takeOver(accounts) {
      for (const account of accounts) watch.observe(account);
    },
    watched: (accountId) => watch.version(accountId),
    async publish(quotes) {
      const { lows } = await inTurn(() => take(quotes, "feed"));
      await Promise.all(lows);
    },
    give: (quotes) =>
      inTurn(async () => {
        const { verdicts, lows } = await take(quotes, "hand");
        await Promise.all(lows);
        return verdicts;
      }),
    sweep: () =>
      inTurn(async () => {
        resolveDoubts();
        // A new low is waited for by nobody here: the next look finds it.
        void watch.nominate([...board.quotes.values()]);
        await settlements.current();
      }),
    async settled() {
      await inTurn(() => settlements.all());
    },
  };
}

interface Taken {
  /** Of each quote, in order. */
  readonly verdicts: readonly QuoteVerdict[];
  /** New lows that the last prices brought and that are not committed yet. */
  readonly lows: readonly Promise<void>[];
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
