import type { AccountState } from "../account/account.ts";
import { placeBracket } from "../orders/bracket.ts";
import { cancelOrders } from "../orders/cancel.ts";
import { closePair } from "../orders/close-pair.ts";
import { editOrder } from "../orders/edit.ts";
import { flatten } from "../orders/flatten.ts";
import { statusRefusal } from "../orders/guards.ts";
import { placeLimit } from "../orders/limit.ts";
import { placeMarket } from "../orders/market.ts";
import { placeStopLimit } from "../orders/stop-limit.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Command } from "./command.ts";
import { type Draft, openDraft } from "./draft.ts";
import { endOnBreach } from "./elimination.ts";
import type { Event } from "./event.ts";
import { closeAccount, eliminateAccount, openAccount, provisionAccount } from "./lifecycle.ts";
import type { Moment } from "./moment.ts";

import { passTime } from "./pass-time.ts";
import type { Refusal } from "./refusal.ts";
import { settle } from "./settle.ts";

/**
 * The trading network: what a command makes happen to an account, or why it does not. Events of a
 * refused command never leave here. Folding the events with `evolve` gives the account after it.
 * Reads no clock, makes no ids and does nothing else. @rule S3.orders
 */
export function decide(
  state: AccountState | null,
  command: Command,
  moment: Moment,
): Result<readonly Event[], Refusal> {
  const draft = openDraft(state, moment);
  if (command.type === "openAccount") {
    if (state !== null) return refuse({ code: "accountExists" });
    openAccount(draft, command);
    return ok(draft.events);
  }
  if (state === null) return refuse({ code: "accountNotReady" });
  const done = carryOut(draft, command);
  return done.ok ? ok(draft.events) : done;
}

function carryOut(
  draft: Draft,
  command: Exclude<Command, { readonly type: "openAccount" }>,
): Result<null, Refusal> {
  switch (command.type) {
    case "provisionAccount":
      return provisionAccount(draft);
    case "closeAccount":
      return closeAccount(draft);
    case "eliminateAccount":
      return eliminateAccount(draft, command);
    case "settlePrices":
      return whileActive(draft, settle);
    case "passTime":
      return whileActive(draft, () => {});
    case "placeMarket":
      return trade(draft, () => placeMarket(draft, command));
    case "closePair":
      return trade(draft, () => closePair(draft, command));
    case "placeLimit":
      return trade(draft, () => placeLimit(draft, command));
    case "placeStopLimit":
      return trade(draft, () => placeStopLimit(draft, command));
    case "placeBracket":
      return trade(draft, () => placeBracket(draft, command));
    case "editOrder":
      return trade(draft, () => editOrder(draft, command));
    case "cancelOrders":
      return trade(draft, () => cancelOrders(draft, command));
    case "flatten":
      return trade(draft, () => flatten(draft, command));
  }
}

/**
 * Prices and time go on after an account has ended, and find nothing to do there. Whatever comes
 * first after midnight ends the day, so that nothing is measured against yesterday's.
 */
function whileActive(draft: Draft, work: (draft: Draft) => void): Result<null, Refusal> {
  if (draft.state.status === "active") passTime(draft);
  if (draft.state.status !== "active") return ok(null);
  work(draft);
  endOnBreach(draft);
  return ok(null);
}

/** A trader's own order may be what passes a limit: the limits are read after it as well. */
function trade(draft: Draft, place: () => Result<null, Refusal>): Result<null, Refusal> {
  if (draft.state.status === "active") passTime(draft);
  const refusal = statusRefusal(draft.state);
  if (refusal !== null) return refuse(refusal);
  const done = place();
  if (done.ok) endOnBreach(draft);
  return done;
}
