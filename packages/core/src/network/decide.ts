import { openDraft } from "../evolve/open-draft.ts";
import { placeBracket } from "../orders/bracket.ts";
import { cancelOrders } from "../orders/cancel.ts";
import { closePair } from "../orders/close-pair.ts";
import { cancelAllAfter, resumeSwitch, suspendSwitch } from "../orders/dead-mans-switch.ts";
import { editOrder } from "../orders/edit.ts";
import { placeEntry } from "../orders/entry.ts";
import { flatten } from "../orders/flatten.ts";
import { statusRefusal } from "../orders/guards.ts";
import { placeMarket } from "../orders/market.ts";
import { recordPayout } from "../payouts/record.ts";
import { offerPro } from "../pro/offer.ts";
import { promote } from "../pro/promotion.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import {
  type Command,
  isTraderCommand,
  placesEntry,
  type TraderCommand,
} from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import type { Refusal } from "../state/refusal.ts";
import { judge } from "./judge.ts";
import { closeAccount, eliminateAccount, openAccount, provisionAccount } from "./lifecycle.ts";
import { passTime } from "./pass-time.ts";
import { applyPricesToOrders } from "./settle.ts";

/**
 * The trading network: returns the events of a command, or its refusal. A refused command has no events. `evolve`
 * applies the events to the account. The function is pure: it reads no clock and makes no ids. @rule S3.orders
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
  const done = carryOutCommand(draft, command);
  return done.ok ? ok(draft.events) : done;
}

function carryOutCommand(
  draft: Draft,
  command: Exclude<Command, { readonly type: "openAccount" }>,
): Result<null, Refusal> {
  if (isTraderCommand(command))
    return runOnActiveAccount(draft, () => carryOutOrder(draft, command));
  switch (command.type) {
    case "provisionAccount":
      return provisionAccount(draft);
    case "closeAccount":
      return closeAccount(draft, command);
    case "eliminateAccount":
      return eliminateAccount(draft, command);
    case "offerPro":
      return runOnActiveAccount(draft, () => offerPro(draft, command));
    case "promote":
      return runOnActiveAccount(draft, () => promote(draft, command));
    case "suspendSwitch":
      return runOnActiveAccount(draft, () => suspendSwitch(draft));
    case "resumeSwitch":
      return runOnActiveAccount(draft, () => resumeSwitch(draft));
    case "recordPayout":
      return recordPayout(draft, command);
    case "settlePrices":
      return runIfActive(draft, applyPricesToOrders);
    case "recordBests":
      draft.recordBestPrices();
      return ok(null);
    case "passTime":
      return runIfActive(draft, () => {});
  }
}

/**
 * Carries out a trader's command, on an account that may trade. MARKET fills; LIMIT, STOP_LIMIT and BRACKET become
 * pending; an edit or a cancellation changes pending orders; FLAT and FLAT_ALL close positions; a call of the dead
 * man's switch arms or ends the switch. @rule S3.orders decides
 */
function carryOutOrder(draft: Draft, command: TraderCommand): Result<null, Refusal> {
  if (placesEntry(command)) return placeEntry(draft, command);
  switch (command.type) {
    case "placeMarket":
      return placeMarket(draft, command);
    case "closePair":
      return closePair(draft, command);
    case "placeBracket":
      return placeBracket(draft, command);
    case "editOrder":
      return editOrder(draft, command);
    case "cancelOrders":
      return cancelOrders(draft, command);
    case "flatten":
      return flatten(draft, command);
    case "cancelAllAfter":
      return cancelAllAfter(draft, command);
  }
}

/**
 * The draft after due work and the order, before the account is judged; refused in the cases in which `decide` refuses
 * the order. The caller discards the draft. @rule D9.preview
 */
export function draftOrder(
  state: AccountState | null,
  command: TraderCommand,
  moment: Moment,
): Result<Draft, Refusal> {
  if (state === null) return refuse({ code: "accountNotReady" });
  const draft = openDraft(state, moment);
  const done = runAfterDueWork(draft, () => carryOutOrder(draft, command));
  return done.ok ? ok(draft) : done;
}

/**
 * Carries out new prices or passing time; an account that is not active ignores both. Due work runs first: after
 * midnight the old day has to end before equity is measured against the new one.
 */
function runIfActive(draft: Draft, action: (draft: Draft) => void): Result<null, Refusal> {
  passTime(draft);
  if (draft.state.status !== "active") return ok(null);
  action(draft);
  judge(draft);
  return ok(null);
}

/**
 * Carries out a command that needs an active account. The command itself may breach a limit or reach the target, so the
 * account is judged afterwards.
 */
function runOnActiveAccount(
  draft: Draft,
  action: () => Result<null, Refusal>,
): Result<null, Refusal> {
  const done = runAfterDueWork(draft, action);
  if (done.ok) judge(draft);
  return done;
}

function runAfterDueWork(draft: Draft, action: () => Result<null, Refusal>): Result<null, Refusal> {
  passTime(draft);
  const refusal = statusRefusal(draft.state);
  return refusal === null ? action() : refuse(refusal);
}
