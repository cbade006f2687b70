import { type AccountCall, accountRoute } from "./account/account-call.ts";
import { type EquityNeeds, equityCall } from "./account/equity-call.ts";
import { type FlattenNeeds, flattenCall } from "./account/flatten-call.ts";
import { type HistoryNeeds, historyCalls } from "./account/history-calls.ts";
import { type JournalNeeds, journalCalls } from "./account/journal-calls.ts";
import { type KeyNeeds, keyCalls } from "./account/key-calls.ts";
import { accountChoices, type StateNeeds, stateCalls } from "./account/state-calls.ts";
import { type TickNeeds, tickCall } from "./account/tick-call.ts";
import { type TradeNeeds, tradeCalls } from "./account/trade-calls.ts";
import type { PageRoute } from "./page-call.ts";

/** The dependencies of an account's pages. */
export type AccountRouteNeeds = StateNeeds &
  TradeNeeds &
  HistoryNeeds &
  EquityNeeds &
  JournalNeeds &
  KeyNeeds &
  FlattenNeeds &
  TickNeeds;

/** The calls of an owner's pages; paths are below the prefix of the pages. */
export function accountRoutes(need: AccountRouteNeeds): readonly PageRoute[] {
  const calls: readonly AccountCall[] = [
    ...stateCalls(need),
    ...tradeCalls(need),
    equityCall(need),
    ...historyCalls(need),
    ...journalCalls(need),
    ...keyCalls(need),
    flattenCall(need),
  ];
  return [
    accountChoices(need),
    tickCall(need),
    ...calls.map((call) => accountRoute(need.accounts, call)),
  ];
}
