import type { AccountState } from "../account/account.ts";
import { dayEndedAt } from "../account/daily-returns.ts";
import type { DayEnded } from "./event.ts";

export function endDay(state: AccountState, event: DayEnded): AccountState {
  return { ...state, ...dayEndedAt(state, event) };
}
