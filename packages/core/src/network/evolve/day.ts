import type { AccountState } from "../../account/account.ts";
import { dayEndedAt } from "../../account/daily-returns.ts";
import { countDay } from "../../pro/statistics.ts";
import type { ProTrack } from "../../pro/track.ts";
import { addUsd, type MicroUsd, type Ratio, statisticRatio } from "../../units.ts";
import type { CarryCharged, DayEnded } from "../event.ts";

export function endDay(state: AccountState, event: DayEnded): AccountState {
  const { startMs, startEquity } = state.day;
  const dayReturn = dayReturnOf(startEquity, event.equity);
  return {
    ...state,
    ...dayEndedAt(state, event),
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

/** A fee of the position and of the account. @rule D7.carry */
export function chargeCarry(state: AccountState, event: CarryCharged): AccountState {
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
