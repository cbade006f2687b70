import type { AccountSnapshot } from "./account-snapshot.ts";
import type { ProTrackFigures } from "./pro-track-figures.ts";

/**
 * The snapshot without the statistics of the pro track, for when they cannot be read: their figures are then null,
 * never old or 0. Balances and limits do not depend on them and stay. @rule D4.stale
 */
export function withoutStatistics(snapshot: AccountSnapshot): AccountSnapshot {
  const { proTrack } = snapshot;
  return { ...snapshot, proTrack: proTrack === null ? null : withoutFigures(proTrack) };
}

function withoutFigures(track: ProTrackFigures): ProTrackFigures {
  const objectives = track.objectives.map((one) => ({ ...one, value: null, met: null }));
  return { ...track, statistics: null, objectives };
}
