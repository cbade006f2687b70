/** A source that is not the speaker must be healthy for this long before the pair goes back to it. */
const HEALTHY_AFTER_MS = 10_000;

/** A source that may speak: fresh, healthy and believed. */
export interface Candidate {
  readonly place: number;
  readonly healthySinceMs: number;
}

/**
 * Chooses the source that speaks for a pair among its candidates, in order of priority. `former` is the place of the
 * last speaker; null before the first. A speaker that is still a candidate stays, until a preferred source has been
 * healthy for 10 seconds. A speaker that is not a candidate any more is replaced immediately: by a preferred source
 * only after 10 seconds of health, unless nothing else is left.
 */
export function chooseSpeaker<Source extends Candidate>(
  candidates: readonly Source[],
  former: number | null,
  nowMs: number,
): Source | null {
  const mayTakeOver = ({ place, healthySinceMs }: Source): boolean =>
    former === null || place >= former || nowMs - healthySinceMs >= HEALTHY_AFTER_MS;
  return candidates.find(mayTakeOver) ?? candidates[0] ?? null;
}
