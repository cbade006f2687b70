/** How much of each limit an account has used at its present equity, for lists of many accounts. */

import type { AccountState } from "../state/account.ts";
import { type MicroUsd, type Percent, percent } from "../units.ts";
import { type LimitFigures, limitNow } from "./limit.ts";
import { drawdownOf, LOSS_LIMITS } from "./registry.ts";

/** A limit as if it were judged at the present equity, also one that is only judged at the day's end. */
export interface LimitShare extends Pick<LimitFigures, "rule" | "anchor" | "floor"> {
  /** The share of the allowed loss that is gone: 75 is three quarters. At least 0, and above 100 below the floor. */
  readonly usedOfLimitPct: Percent;
  /** From the floor up to the equity; negative below the floor. */
  readonly remainingNow: MicroUsd;
}

/** How far an account has used its limits: the nearest limit, the daily limit, and the nearest of the other limits. */
export interface LimitShares {
  readonly nearest: LimitShare | null;
  readonly ofDay: LimitShare | null;
  readonly other: LimitShare | null;
}

/** The first in the order of `LOSS_LIMITS` is the nearest of equal shares. @rule D9.accountIndex decides */
export function limitSharesOf(state: AccountState, equity: MicroUsd): LimitShares {
  let nearest: LimitShare | null = null;
  let ofDay: LimitShare | null = null;
  let other: LimitShare | null = null;
  for (const limit of drawdownOf(state, equity).limits) {
    const share = shareOf(limit, equity);
    nearest = nearer(nearest, share);
    if (LOSS_LIMITS[limit.rule].isOfDay) ofDay = nearer(ofDay, share);
    else other = nearer(other, share);
  }
  return { nearest, ofDay, other };
}

function nearer(before: LimitShare | null, next: LimitShare): LimitShare {
  return before === null || next.usedOfLimitPct > before.usedOfLimitPct ? next : before;
}

function shareOf({ rule, anchor, floor }: LimitFigures, equity: MicroUsd): LimitShare {
  const { remainingNow } = limitNow({ anchor, floor }, equity);
  const allowed = anchor - floor;
  const used = Math.max(0, anchor - equity);
  // A limit that allows nothing has no share; one of an anchor of zero or below cannot be breached.
  const usedOfLimitPct = percent(allowed > 0 ? (used * 100) / allowed : 0);
  return { rule, anchor, floor, usedOfLimitPct, remainingNow };
}
