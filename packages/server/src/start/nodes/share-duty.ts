import type { Stopwatch } from "@propgate/base";

/** Whether a node should own its share of the accounts. */
export interface ShareDuty {
  /** True when this node can decide accounts at present. */
  readonly decides: boolean;
  /**
   * True when this node should own its share. It is called about once a second, because it measures time between its
   * calls.
   */
  ownsShare(): boolean;
}

/**
 * For how long a node keeps a share that it cannot decide, and for how long it must have the prices before it owns the
 * share again. So a link that fails every few seconds moves no share. Nor does a change of the feed, which takes less
 * time.
 */
export const MOVE_AFTER_MS = 8_000;

export interface ShareDutyOptions {
  /** The reason why this node's clock is wrong; null while it is right. */
  readonly clockProblem: () => string | null;
  /** The reason why the quotes here are behind the feed's; null when they are not. */
  readonly priceProblem: () => string | null;
  /** True when another node can decide accounts. */
  readonly doOthersDecide: () => boolean;
  readonly steadyClock: Stopwatch;
}

/**
 * A node that does not get the feed's prices for `MOVE_AFTER_MS` leaves its share to a node that gets them. When no
 * node gets them, each keeps its share: cancels and dead man's switches need an owner, and no other node could do more.
 * A venue that is silent, or a closed market, is the same for all nodes, so no share moves. A node whose clock is wrong
 * owns no share.
 * @rule D12.claims decides
 */
export function createShareDuty(options: ShareDutyOptions): ShareDuty {
  const { clockProblem, priceProblem, doOthersDecide, steadyClock } = options;
  let owns = false;
  /** True until the node owns a share for the first time since its clock became right. */
  let isNew = true;
  let otherwiseSinceMs: number | null = null;

  const decides = (): boolean => clockProblem() === null && priceProblem() === null;
  const follow = (should: boolean): void => {
    if (should === owns) {
      otherwiseSinceMs = null;
      return;
    }
    const nowMs = steadyClock.nowMs();
    otherwiseSinceMs ??= nowMs;
    const isMissed = should && (isNew || !doOthersDecide());
    if (!isMissed && nowMs - otherwiseSinceMs < MOVE_AFTER_MS) return;
    owns = should;
    isNew = false;
    otherwiseSinceMs = null;
  };
  return {
    get decides() {
      return decides();
    },
    ownsShare() {
      if (clockProblem() === null) {
        follow(decides() || (owns && !doOthersDecide()));
        return owns;
      }
      // The clock of this node is wrong, so it gives up its share immediately. @rule D12.oneClock
      owns = false;
      isNew = true;
      otherwiseSinceMs = null;
      return false;
    },
  };
}
