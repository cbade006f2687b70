import { EQUITY_WINDOWS } from "@propgate/contract";
import { unixMs } from "@propgate/core";
import { presentFigures } from "../../equity/equity-figures.ts";
import { fine, type JsonReply, refused } from "../../json/json-reply.ts";
import type { PresentAccounts } from "../../network/present-account.ts";
import type { EquityStore } from "../../storage/stores/equity-store.ts";
import type { AccountHistories } from "../history/account-histories.ts";
import { equityHistory, WINDOW_MS } from "../history/equity-history.ts";
import { type AccountCall, type Asked, UNREADABLE } from "./account-call.ts";

export interface EquityNeeds {
  readonly present: PresentAccounts;
  readonly histories: AccountHistories;
  readonly equity: Pick<EquityStore, "between" | "lastAt">;
}

/** GET equity: what the account was worth, over a window that ends now. */
export function equityCall(need: EquityNeeds): AccountCall {
  return {
    name: "account.equity",
    method: "GET",
    path: "/accounts/:id/equity",
    handle: (asked) => readEquity(need, asked),
  };
}

async function readEquity(need: EquityNeeds, asked: Asked): Promise<JsonReply> {
  const { account, accountId, query } = asked;
  const window = EQUITY_WINDOWS.find((one) => one === (query.window ?? "1D"));
  if (window === undefined) {
    return refused(`window: must be one of ${EQUITY_WINDOWS.join(", ")}`, 400);
  }
  const found = await need.present.read(account);
  if (found === null) return UNREADABLE;
  const moment = need.present.moment();
  const length = WINDOW_MS[window];
  const openedAtMs = found.state.openedAtMs;
  const startMs = length === null ? openedAtMs : unixMs(Math.max(openedAtMs, moment.now - length));
  const [{ dayEnds }, before, points] = await Promise.all([
    need.histories.read({ accountId, version: found.version }),
    need.equity.lastAt(accountId, startMs),
    need.equity.between(accountId, { after: startMs, upTo: moment.now }),
  ]);
  const present = presentFigures(found.state, moment);
  return fine(equityHistory({ window, startMs, before, points, dayEnds, present }));
}
