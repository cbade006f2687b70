import type { AccountSnapshot, ProTrackFigures } from "./snapshot.ts";

/**
 * The same snapshot while the statistics cannot be read: what they tell is unknown, never an older
 * figure or 0. Balances and limits need none of them and stay.
 * @rule D4.stale
 */
export function withoutStatistics(snapshot: AccountSnapshot): AccountSnapshot {
  const { proTrack } = snapshot;
  return { ...snapshot, proTrack: proTrack === null ? null : withoutFigures(proTrack) };
}

function withoutFigures(track: ProTrackFigures): ProTrackFigures {
  const objectives = track.objectives.map((one) => ({ ...one, value: null, met: null }));
  return { ...track, statistics: null, objectives };
}
