import type { AccountState } from "../account/account.ts";
import { assert } from "../assert.ts";
import { startOfUtcDay } from "../time/utc-day.ts";
import { microUsd } from "../units.ts";
import type { AccountEliminated, AccountOpened, AccountProvisioned } from "./event.ts";

/** A new account: balance, day's start and high-water mark are its size. @rule D4.firstDay */
export function openAccount(before: AccountState | null, event: AccountOpened): AccountState {
  assert(before === null, "an account that is opened once");
  const { size } = event.terms;
  return {
    accountId: event.accountId,
    ownerId: event.ownerId,
    status: event.provisioned ? "active" : "provisioning",
    phase: event.terms.variant === "pro" ? "proChallengeDirect" : "challenge",
    terms: event.terms,
    openedAtMs: event.atMs,
    realized: microUsd(0),
    fees: microUsd(0),
    positions: [],
    orders: [],
    day: { startMs: startOfUtcDay(event.atMs), startEquity: size },
    endOfDay: { equity: size, highWater: size },
    dailyReturns: [],
    record: { trades: 0, wins: 0, netPnl: microUsd(0), heldMs: 0 },
    lastOrderAtMs: {},
    elimination: null,
  };
}

/** Its first day begins now: the days it waited were no trading days. @rule D8.states */
export function provisionAccount(state: AccountState, event: AccountProvisioned): AccountState {
  const day = { startMs: startOfUtcDay(event.atMs), startEquity: state.terms.size };
  return { ...state, status: "active", day };
}

export function closeAccount(state: AccountState): AccountState {
  return { ...state, status: "closed" };
}

/** @rule S2.1.3 */
export function eliminateAccount(state: AccountState, event: AccountEliminated): AccountState {
  assert(state.elimination === null, "an elimination that is recorded once");
  return { ...state, status: "eliminated", elimination: event.elimination };
}
