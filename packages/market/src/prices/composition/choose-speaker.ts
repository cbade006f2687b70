/** How long a source of higher priority must be healthy before the pair returns to it. */
const HEALTHY_AFTER_MS = 10_000;

/** A source that may speak for a pair: it has a fresh quote, is healthy and is believed. */
export interface SpeakerCandidate {
  readonly place: number;
  readonly healthySinceMs: number;
}

/**
 * Chooses the source that speaks for a pair. The candidates are in order of priority; `former` is the rank of the last
 * speaker, 0 for the highest priority, and null before the first speaker. The last speaker continues while it is a
 * candidate, until a source of higher priority has been healthy for 10 seconds. When it is no longer a candidate, a
 * source of lower priority may speak immediately. A source of higher priority may speak only after 10 seconds of
 * health, unless no source of lower priority is a candidate. Null without candidates.
 */
export function chooseSpeaker<Source extends SpeakerCandidate>(
  candidates: readonly Source[],
  former: number | null,
  nowMs: number,
): Source | null {
  const mayTakeOver = ({ place, healthySinceMs }: Source): boolean =>
    former === null || place >= former || nowMs - healthySinceMs >= HEALTHY_AFTER_MS;
  return candidates.find(mayTakeOver) ?? candidates[0] ?? null;
}
