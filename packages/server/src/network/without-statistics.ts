import type { ProTrackFigures } from "@propgate/core";
import type { AccountReading } from "./port.ts";

/**
 * The same reading while the statistics cannot be read: what they tell is unknown, never an older
 * figure or 0. Balances and limits need none of them and stay.
 * @rule D4.stale
 */
export function withoutStatistics(reading: AccountReading): AccountReading {
  const { proTrack } = reading.snapshot;
  const unknown = proTrack === null ? null : withoutFigures(proTrack);
  return {
    ...reading,
    snapshot: { ...reading.snapshot, proTrack: unknown },
    dailyReturns: [],
    stale: true,
  };
}

function withoutFigures(track: ProTrackFigures): ProTrackFigures {
  const objectives = track.objectives.map((one) => ({ ...one, value: null, met: null }));
  return { ...track, statistics: null, objectives };
}
