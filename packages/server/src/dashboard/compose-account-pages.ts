/** Puts the parts of an account's pages together; a part of the composition root. */
import type { Instruments } from "@propgate/core";
import type { Clock, Timer } from "../clock.ts";
import type { Engine } from "../engine.ts";
import type { Cursors } from "../http/cursor.ts";
import type { JournalDesk } from "../journal/journal-desk.ts";
import { linesWith, newestLines } from "../journal/journal-store.ts";
import type { KeyDesk } from "../keys/manage-keys.ts";
import type { TradingNetwork } from "../network/port.ts";
import type { Database } from "../storage/database.ts";
import { equityStore } from "../storage/stores/equity-store.ts";
import { tradeStore } from "../storage/stores/trade-store.ts";
import type { JournalNeeds } from "./account/journal-calls.ts";
import { createLiveStreams, type LiveNeeds } from "./account/live-streams.ts";
import type { FillReader } from "./account/trade-fills.ts";
import { accountRoutes } from "./account-routes.ts";
import { createAccountHistories } from "./history/account-histories.ts";
import type { PageRoute } from "./page-call.ts";

/** What the pages need of those who sign in. */
export type SignedInNeeds = Pick<LiveNeeds, "isStillAllowed"> & Pick<JournalNeeds, "audit">;

export type AccountPages = (signedIn: SignedInNeeds) => readonly PageRoute[];

export function composeAccountPages(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly engine: Engine;
  readonly network: TradingNetwork;
  readonly instruments: Instruments;
  readonly cursors: Cursors;
  readonly keys: KeyDesk;
  readonly journal: JournalDesk;
  readonly onFault: (cause: unknown) => void;
}): AccountPages {
  const { database, engine } = need;
  const { accountStore: accounts, present } = engine;
  const trades = tradeStore(database);
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
      ...need,
      ...signedIn,
      ...{ accounts, present, fills, histories },
      equity: equityStore(database),
      newestLines: (account, page) => newestLines(database, account, page),
      live: createLiveStreams({ ...need, ...signedIn, accounts, present }),
    });
}
