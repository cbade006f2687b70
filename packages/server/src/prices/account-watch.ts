import {
  type AccountId,
  type AccountState,
  type Instruments,
  isFresh,
  type PairId,
  type Quote,
  triggerLevels,
} from "@propgate/core";
import type { Clock } from "../base/clock.ts";
import type { VersionedState } from "../trading/executor-port.ts";
import { createEquityWatch } from "./equity-watch.ts";
import type { QuoteBoard } from "./quote-board.ts";
import type { Settlements } from "./settlements.ts";
import { createTriggerBook, type WatchLevel } from "./trigger-book.ts";

/** Finds the accounts that a quote affects, and has them settled. */
export interface AccountWatch {
  /** Takes a committed account; a version older than the known one is ignored. */
  observe(account: VersionedState): void;
  /** The newest observed version; 0 without one. */
  version(accountId: AccountId): number;
  /** Checks the account with the next quote: its due settlement may still be due then. */
  recheck(accountId: AccountId): void;
  /** Nominates every account that these quotes, already on the board, affect. */
  nominate(quotes: readonly Quote[]): Nominations;
}

export interface Nominations {
  /** The settlements of the accounts with an order that the quotes reach. */
  readonly triggered: readonly Promise<void>[];
  /** Accounts that the quotes end or pass. */
  readonly judged: number;
  /** New lows of pro accounts, which settle when there is a slot. */
  readonly lows: readonly Promise<void>[];
}

export interface AccountWatchOptions {
  readonly board: QuoteBoard;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly settlements: () => Settlements;
}

export function createAccountWatch(options: AccountWatchOptions): AccountWatch {
  const { board, settlements } = options;
  const triggers = createTriggerBook();
  const equity = createEquityWatch(options.instruments);
  const known = new Map<AccountId, WatchedAccount>();
  const stateOf = (accountId: AccountId) => known.get(accountId)?.state ?? null;
  const canTrigger = (pair: PairId) => liveQuote(options, pair);

  /** The settlement of a new low, or that the account settles immediately; null without a verdict. */
  const check = (state: AccountState): Promise<void> | "judged" | null => {
    const verdict = equity.replace(state, board.quotes);
    if (verdict === null) return null;
    if (verdict.kind === "deeper") return settlements().postpone(state.accountId);
    void settlements().nominate(state.accountId, "allPrices");
    return "judged";
  };

  /** The accounts with an order that the quotes reach, and those whose equity they may move too far. */
  const affectedBy = (quotes: readonly Quote[]) => {
    const triggered = new Set<AccountId>();
    const inDoubt = new Set<AccountId>();
    for (const quote of quotes) {
      if (canTrigger(quote.pair) !== null) triggers.collect(quote, triggered);
      equity.collect(quote, inDoubt);
    }
    return { triggered, inDoubt };
  };

  return {
    observe({ state, version }) {
      const { accountId } = state;
      const before = known.get(accountId);
      if (before !== undefined && before.version >= version) return;
      const isQuiet = state.positions.length === 0 && state.orders.length === 0;
      known.set(accountId, { version, state: isQuiet ? null : state });
      if (isQuiet && (before === undefined || before.state === null)) return;
      triggers.replace(accountId, state.status === "active" ? levelsOf(state) : []);
      void check(state);
      if (triggers.reaches(accountId, canTrigger)) {
        void settlements().nominate(accountId, "allPrices");
      }
    },
    version: (accountId) => known.get(accountId)?.version ?? 0,
    recheck(accountId) {
      const state = stateOf(accountId);
      if (state !== null) equity.recheck(state);
    },
    nominate(quotes) {
      const { triggered, inDoubt } = affectedBy(quotes);
      const settling = [...triggered].map((accountId) =>
        settlements().nominate(accountId, "itsPrice"),
      );
      const found = [...inDoubt].map((accountId) => {
        const state = stateOf(accountId);
        return state === null ? null : check(state);
      });
      return {
        triggered: settling,
        judged: found.filter((verdict) => verdict === "judged").length,
        lows: found.filter((verdict) => verdict instanceof Promise),
      };
    },
  };
}

interface WatchedAccount {
  readonly version: number;
  /** Null when no part of the account depends on a price. */
  readonly state: AccountState | null;
}

/** Null while the pair's market is closed or its quote is stale: then no order triggers. */
function liveQuote({ board, instruments, clock }: AccountWatchOptions, pair: PairId): Quote | null {
  const quote = board.quote(pair);
  const instrument = instruments.get(pair);
  if (quote === null || instrument === undefined) return null;
  return isFresh(quote, instrument, clock.now()) ? quote : null;
}

/** Every price that triggers an order of the account, or moves a trailing stop. */
function levelsOf(state: AccountState): readonly WatchLevel[] {
  return state.orders.flatMap((order) =>
    triggerLevels(order).map(({ side, when, price }) => ({ pair: order.pair, side, when, price })),
  );
}
