import type { CandleAnswerOptions } from "@propgate/wire";
import { type AccountCall, accountRoute } from "./account/account-call.ts";
import { candleCall } from "./account/candle-call.ts";
import { type EquityOptions, equityCall } from "./account/equity-call.ts";
import { type FlattenOptions, flattenCall } from "./account/flatten-call.ts";
import { type HistoryOptions, historyCalls } from "./account/history-calls.ts";
import { type JournalOptions, journalCalls } from "./account/journal-calls.ts";
import { type KeyOptions, keyCalls } from "./account/key-calls.ts";
import { accountChoices, type StateOptions, stateCalls } from "./account/state-calls.ts";
import { type TickOptions, tickCall } from "./account/tick-call.ts";
import { type TradeOptions, tradeCalls } from "./account/trade-calls.ts";
import { type OwnerWebhookOptions, ownerWebhookCalls } from "./account/webhook-calls.ts";
import type { PageRoute } from "./page-call.ts";

/** The parts of the service that the calls of an account's pages use, each call some of them. */
export type AccountRouteOptions = StateOptions &
  TradeOptions &
  HistoryOptions &
  EquityOptions &
  JournalOptions &
  KeyOptions &
  OwnerWebhookOptions &
  FlattenOptions &
  TickOptions &
  CandleAnswerOptions;

/** The calls of an owner's pages. Their paths are below the prefix of the pages. */
export function accountRoutes(options: AccountRouteOptions): readonly PageRoute[] {
  const calls: readonly AccountCall[] = [
    ...stateCalls(options),
    ...tradeCalls(options),
    equityCall(options),
    ...historyCalls(options),
    ...journalCalls(options),
    ...keyCalls(options),
    ...ownerWebhookCalls(options),
    flattenCall(options),
  ];
  return [
    accountChoices(options),
    tickCall(options),
    candleCall(options),
    ...calls.map((call) => accountRoute(options.accounts, call)),
  ];
}
