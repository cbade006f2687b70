import { EQUITY_WINDOWS } from "@propgate/contract";
import { unixMs } from "@propgate/core";
import type { EquityStore } from "../../../storage/stores/equity-store.ts";
import { finalFigures, presentFigures } from "../../../trading/equity/equity-figures.ts";
import type { PresentAccounts } from "../../../trading/network/present-account.ts";
import { fine, type JsonReply, refused } from "../../json/json-reply.ts";
import type { AccountHistories } from "../history/account-histories.ts";
import { equityHistory, WINDOW_MS } from "../history/equity-history.ts";
import { type AccountCall, type HandlerInput, UNREADABLE } from "./account-call.ts";

export interface EquityOptions {
  readonly present: PresentAccounts;
  readonly histories: AccountHistories;
  readonly equity: Pick<EquityStore, "between" | "lastAt">;
}

/** GET equity: the account's equity over a window that ends now or at the account's end. */
export function equityCall(options: EquityOptions): AccountCall {
  return {
    name: "account.equity",
    method: "GET",
    path: "/accounts/:id/equity",
    handle: (input) => readEquity(options, input),
  };
}

async function readEquity(options: EquityOptions, input: HandlerInput): Promise<JsonReply> {
  const { account, accountId, query } = input;
  const window = EQUITY_WINDOWS.find((one) => one === (query.window ?? "1D"));
  if (window === undefined) {
    return refused(`window: must be one of ${EQUITY_WINDOWS.join(", ")}`, 400);
  }
  const found = await options.present.read(account);
  if (found === null) return UNREADABLE;
  const moment = options.present.moment();
  const length = WINDOW_MS[window];
  const { openedAtMs, elimination } = found.state;
  const endedAtMs = elimination?.atMs ?? null;
  const endMs = endedAtMs ?? moment.now;
  const startMs = length === null ? openedAtMs : unixMs(Math.max(openedAtMs, endMs - length));
  const [{ dayEnds }, before, points] = await Promise.all([
    options.histories.read({ accountId, version: found.version }),
    options.equity.lastAt(accountId, startMs),
    options.equity.between(accountId, { after: startMs, upTo: endMs }),
  ]);
  const present =
    endedAtMs === null ? presentFigures(found.state, moment) : finalFigures(found.state, endedAtMs);
  const parts = { window, startMs, endedAtMs, before, points, dayEnds, present };
  return fine(equityHistory(parts));
}
