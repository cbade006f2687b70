import type { AccountSnapshot } from "./account-snapshot.ts";
import type { ProTrackFigures } from "./pro-track-figures.ts";

/**
 * The snapshot for an answer when the statistics of the pro track cannot be read: every figure that depends on them is
 * null, never outdated or 0. Balances and limits do not depend on the statistics and stay. @rule D4.stale
 */
export function withoutStatistics(snapshot: AccountSnapshot): AccountSnapshot {
  const { proTrack } = snapshot;
  return { ...snapshot, proTrack: proTrack === null ? null : withoutFigures(proTrack) };
}

function withoutFigures(track: ProTrackFigures): ProTrackFigures {
  const objectives = track.objectives.map((one) => ({ ...one, value: null, met: null }));
  return { ...track, statistics: null, objectives };
}
