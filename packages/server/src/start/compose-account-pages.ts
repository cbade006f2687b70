/** Composes the calls of an account's pages; part of the composition root. */
import type { Instruments } from "@propgate/core";
import type { KeyDesk } from "../access/keys/manage-keys.ts";
import type { Cursors } from "../api/cursor.ts";
import type { Clock, Timer } from "../base/clock.ts";
import type { JournalOptions } from "../calls/pages/account/journal-calls.ts";
import { createLiveStreams, type LiveOptions } from "../calls/pages/account/live-streams.ts";
import type { FillReader } from "../calls/pages/account/trade-fills.ts";
import { accountRoutes } from "../calls/pages/account-routes.ts";
import { createAccountHistories } from "../calls/pages/history/account-histories.ts";
import type { PageRoute } from "../calls/pages/page-call.ts";
import type { CandleReader } from "../prices/candles/candle-reader.ts";
import type { Database } from "../storage/databases/database.ts";
import { linesWith, newestLines } from "../storage/journal/journal-store.ts";
import { createEquityStore } from "../storage/stores/equity-store.ts";
import { createTradeStore } from "../storage/stores/trade-store.ts";
import type { JournalDesk } from "../trading/journal/journal-desk.ts";
import type { TradingNetwork } from "../trading/network/port.ts";
import type { Engine } from "./engine.ts";

/** The dependencies that concern signed-in people. */
export type SignedInOptions = Pick<LiveOptions, "sessions"> & Pick<JournalOptions, "audit">;

export type AccountPages = (signedIn: SignedInOptions) => readonly PageRoute[];

export function composeAccountPages(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly engine: Engine;
  readonly network: TradingNetwork;
  readonly instruments: Instruments;
  readonly candles: CandleReader;
  readonly cursors: Cursors;
  readonly keys: KeyDesk;
  readonly journal: JournalDesk;
  readonly onFault: (cause: unknown) => void;
}): AccountPages {
  const { database, engine } = options;
  const { accountStore: accounts, present } = engine;
  const trades = createTradeStore(database);
  const fills: FillReader = {
    closedBy: (account, tradeId) => trades.closedBy(account, tradeId),
    async isOpen(at, positionUuid) {
      const found = await present.read(at);
      return found?.state.positions.some(({ uuid }) => uuid === positionUuid) ?? false;
    },
    mentions: (account, range) => linesWith(database, account, range),
  };
  const histories = createAccountHistories(database);
  return (signedIn) =>
    accountRoutes({
      ...options,
      ...signedIn,
      accounts,
      present,
      fills,
      histories,
      equity: createEquityStore(database),
      newestLines: (account, page) => newestLines(database, account, page),
      live: createLiveStreams({ ...options, ...signedIn, accounts, present }),
    });
}
