/**
 * Every effect of live equity has one edge: the equity at which it begins, which follows from the state alone.
 * Verdicts, and the range of equities without an effect, come from the same edges. So a watch that checks an account
 * only when its equity leaves the range misses no effect.
 */
import { assert } from "../assert.ts";
import { lowestPassingEquity } from "../challenge/target.ts";
import { drawdownBelow, highestEquityWithDeeperDrawdown } from "../pro/statistics.ts";
import type { LimitFigures } from "../rules/limit.ts";
import { findNearedLimit, highestNearingEquity, type NearedLimit } from "../rules/near-levels.ts";
import { highestLiveBreachingEquity, liveBreach } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import type { MicroUsd, Ratio } from "../units.ts";

/** An effect of live equity on an account. */
export type Verdict =
  /** The pro account has a new maximum drawdown. */
  | { readonly kind: "deeper"; readonly maxDrawdown: Ratio }
  /** A loss limit is breached, which eliminates the account. */
  | { readonly kind: "breach"; readonly breach: LimitFigures }
  /** The profit target is reached, which passes the challenge. */
  | { readonly kind: "passed" }
  /** Equity has used up a new level of a loss limit. */
  | { readonly kind: "neared"; readonly neared: NearedLimit };

type Side = "loss" | "gain";

interface Effect<Of extends Verdict> {
  readonly side: Side;
  /**
   * True when the effect ends the account or passes its challenge; false when it only records a drawdown or a level.
   */
  readonly isFinal: boolean;
  /** The edge: the effect happens at this equity and at every one beyond it. Null when no equity has the effect. */
  readonly edgeEquity: (state: AccountState) => MicroUsd | null;
  /** The verdict at this equity. It may be called only for an equity that has the effect. */
  readonly effectVerdict: (state: AccountState, equity: MicroUsd) => Of;
}

/** All effects, in the order of precedence. @rule D7.breach D7.pass D7.maxDrawdown D9.limitNeared */
const EFFECTS: { readonly [Kind in Verdict["kind"]]: Effect<Extract<Verdict, { kind: Kind }>> } = {
  // Only a deeper drawdown than the deepest so far is an effect, so the recorded one never shrinks.
  // @rule D7.maxDrawdown decides
  deeper: {
    side: "loss",
    isFinal: false,
    edgeEquity: ({ pro, endOfDay }) => {
      const known = pro?.statistics ?? null;
      return known === null
        ? null
        : highestEquityWithDeeperDrawdown(endOfDay.highWater, known.maxDrawdown);
    },
    effectVerdict: ({ endOfDay }, equity) => ({
      kind: "deeper",
      maxDrawdown: drawdownBelow(endOfDay.highWater, equity),
    }),
  },
  breach: {
    side: "loss",
    isFinal: true,
    edgeEquity: highestLiveBreachingEquity,
    effectVerdict: (state, equity) => {
      const breach = liveBreach(state, equity);
      assert(breach !== null, "a limit that is breached from this equity on");
      return { kind: "breach", breach };
    },
  },
  passed: {
    side: "gain",
    isFinal: true,
    edgeEquity: lowestPassingEquity,
    effectVerdict: () => ({ kind: "passed" }),
  },
  neared: {
    side: "loss",
    isFinal: false,
    edgeEquity: highestNearingEquity,
    effectVerdict: (state, equity) => {
      const neared = findNearedLimit(state, equity, "live");
      assert(neared !== null, "a limit with a new level from this equity on");
      return { kind: "neared", neared };
    },
  },
};

const ALL_EFFECTS: readonly Effect<Verdict>[] = Object.values(EFFECTS);

/**
 * The first effect, in the order of precedence, that this equity has; null when it has none.
 * @rule D7.breach D7.pass D7.maxDrawdown
 */
export function verdictAt(state: AccountState, equity: MicroUsd): Verdict | null {
  if (state.status !== "active") return null;
  for (const { side, edgeEquity, effectVerdict } of ALL_EFFECTS) {
    const edge = edgeEquity(state);
    if (edge === null) continue;
    if (side === "loss" ? equity <= edge : equity >= edge) return effectVerdict(state, equity);
  }
  return null;
}

/** The equities without an effect lie strictly between `from` and `to`. */
export interface RangeWithoutEffect {
  /** The highest edge of the effects of a loss; null when no loss has an effect. */
  readonly from: MicroUsd | null;
  /** The lowest edge of the effects of a gain; null when no gain has an effect. */
  readonly to: MicroUsd | null;
}

/**
 * The effects that a range leaves out: `all` effects, or only those that end the account or pass its challenge
 * (`final`).
 */
export type EffectScope = "all" | "final";

const EVERY_EQUITY: RangeWithoutEffect = { from: null, to: null };

/**
 * The equities without an effect of each scope. When `from` is not below `to`, every equity has an effect, for example
 * after the target was reached.
 */
export function rangesWithoutEffect(
  state: AccountState,
): Readonly<Record<EffectScope, RangeWithoutEffect>> {
  let all = EVERY_EQUITY;
  let final = EVERY_EQUITY;
  for (const { side, isFinal, edgeEquity } of state.status === "active" ? ALL_EFFECTS : []) {
    const edge = edgeEquity(state);
    if (edge === null) continue;
    all = narrowRange(all, side, edge);
    if (isFinal) final = narrowRange(final, side, edge);
  }
  return { all, final };
}

function narrowRange(
  { from, to }: RangeWithoutEffect,
  side: Side,
  edge: MicroUsd,
): RangeWithoutEffect {
  if (side === "gain") return { from, to: to === null || edge < to ? edge : to };
  return { from: from === null || edge > from ? edge : from, to };
}
