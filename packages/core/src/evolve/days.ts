import type { AccountState } from "../state/account.ts";
import type { CarryCharged, DayEnded } from "../state/event.ts";
import type { ProTrack } from "../state/pro-track.ts";
import { addUsd, type MicroUsd, type Ratio, statisticRatio } from "../units.ts";
import { countDay } from "./counted-days.ts";
import { figuresAfterMidnight } from "./daily-returns.ts";

/** The account after a UTC day: the next day begins, and a pro account's statistics count the day. */
export function applyDayEnded(state: AccountState, event: DayEnded): AccountState {
  const { startMs, startEquity } = state.day;
  const dayReturn = dayReturnOf(startEquity, event.equity);
  return {
    ...state,
    ...figuresAfterMidnight(state, event),
    pro: state.pro === null ? null : withDay(state.pro, { dayStartMs: startMs, dayReturn }),
  };
}

function dayReturnOf(from: MicroUsd, to: MicroUsd): Ratio {
  return statisticRatio(from > 0 ? (to - from) / from : 0);
}

function withDay(track: ProTrack, day: Parameters<typeof countDay>[1]): ProTrack {
  const { statistics, objectives } = track;
  if (statistics === null) return track;
  return { ...track, statistics: countDay(statistics, day, objectives) };
}

/** The account after carry was charged, which is a fee of the position and of the account. @rule D7.carry */
export function applyCarryCharged(state: AccountState, event: CarryCharged): AccountState {
  const feeOf = new Map(event.charges.map(({ positionUuid, fee }) => [positionUuid, fee]));
  return {
    ...state,
    carriedToMs: event.dueMs,
    fees: addUsd(state.fees, ...event.charges.map(({ fee }) => fee)),
    positions: state.positions.map((position) => {
      const fee = feeOf.get(position.uuid);
      return fee === undefined ? position : { ...position, fees: addUsd(position.fees, fee) };
    }),
  };
}
