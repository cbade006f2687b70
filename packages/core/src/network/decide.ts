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
import { recordPayout } from "../payouts/record.ts";
import { offerPro } from "../pro/offer.ts";
import { promote } from "../pro/promotion.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Command, TraderCommand } from "./command.ts";
import { type Draft, openDraft } from "./draft.ts";
import type { Event } from "./event.ts";
import { judge } from "./judge.ts";
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
    case "offerPro":
      return act(draft, () => offerPro(draft, command.terms));
    case "promote":
      return act(draft, () => promote(draft));
    case "recordPayout":
      return recordPayout(draft, command);
    case "settlePrices":
      return whileActive(draft, settle);
    case "passTime":
      return whileActive(draft, () => {});
    case "placeMarket":
    case "closePair":
    case "placeLimit":
    case "placeStopLimit":
    case "placeBracket":
    case "editOrder":
    case "cancelOrders":
    case "flatten":
      return act(draft, () => order(draft, command));
  }
}

function order(draft: Draft, command: TraderCommand): Result<null, Refusal> {
  switch (command.type) {
    case "placeMarket":
      return placeMarket(draft, command);
    case "closePair":
      return closePair(draft, command);
    case "placeLimit":
      return placeLimit(draft, command);
    case "placeStopLimit":
      return placeStopLimit(draft, command);
    case "placeBracket":
      return placeBracket(draft, command);
    case "editOrder":
      return editOrder(draft, command);
    case "cancelOrders":
      return cancelOrders(draft, command);
    case "flatten":
      return flatten(draft, command);
  }
}

/**
 * A draft of what an order does by itself, before the account is judged by it; refused as `decide`
 * refuses. Nothing of it has happened. @rule D9.preview
 */
export function draftOrder(
  state: AccountState | null,
  command: TraderCommand,
  moment: Moment,
): Result<Draft, Refusal> {
  if (state === null) return refuse({ code: "accountNotReady" });
  const draft = openDraft(state, moment);
  const done = begin(draft, () => order(draft, command));
  return done.ok ? ok(draft) : done;
}

/**
 * Prices and time go on after an account has ended, and find nothing to do there. Whatever comes
 * first after midnight ends the day, so that nothing is measured against yesterday's.
 */
function whileActive(draft: Draft, work: (draft: Draft) => void): Result<null, Refusal> {
  passTime(draft);
  if (draft.state.status !== "active") return ok(null);
  work(draft);
  judge(draft);
  return ok(null);
}

/**
 * What only an active account can do. An order may itself be what passes a limit or reaches the
 * target, so the account is judged after it as well.
 */
function act(draft: Draft, work: () => Result<null, Refusal>): Result<null, Refusal> {
  const done = begin(draft, work);
  if (done.ok) judge(draft);
  return done;
}

function begin(draft: Draft, work: () => Result<null, Refusal>): Result<null, Refusal> {
  passTime(draft);
  const refusal = statusRefusal(draft.state);
  return refusal === null ? work() : refuse(refusal);
}
