/**
 * Each effect of live equity has one edge, which follows from the state alone: the equity from which on it happens.
 * Verdicts and the range without an effect come from the same edges, so the watch of equities knows every effect that
 * the network has.
 */
import { assert } from "../assert.ts";
import { passedFrom } from "../challenge/target.ts";
import { deeperFrom, drawdownBelow } from "../pro/statistics.ts";
import type { LimitFigures } from "../rules/limit.ts";
import { type NearedLimit, nearedFrom, nearedLimit } from "../rules/near-levels.ts";
import { liveBreach, liveBreachFrom } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import type { MicroUsd, Ratio } from "../units.ts";

/** A consequence of live equity alone. */
export type Verdict =
  /** A new maximum drawdown of the pro account. */
  | { readonly kind: "deeper"; readonly maxDrawdown: Ratio }
  | { readonly kind: "breach"; readonly breach: LimitFigures }
  | { readonly kind: "passed" }
  /** Equity has used up a level of a limit. */
  | { readonly kind: "neared"; readonly neared: NearedLimit };

type Side = "loss" | "gain";

interface Effect<Of extends Verdict> {
  readonly side: Side;
  /** Ends or passes the account, rather than recording a low or a level. */
  readonly isFinal: boolean;
  /** The edge: this equity and every one beyond it have the effect. Null when no equity has it. */
  readonly from: (state: AccountState) => MicroUsd | null;
  /** Only for an equity that has the effect. */
  readonly at: (state: AccountState, equity: MicroUsd) => Of;
}

/** In the order of precedence. @rule D7.breach D7.pass D7.maxDrawdown D9.limitNeared */
const EFFECTS: { readonly [Kind in Verdict["kind"]]: Effect<Extract<Verdict, { kind: Kind }>> } = {
  // From below the deepest drawdown so far, so the recorded one never shrinks. @rule D7.maxDrawdown decides
  deeper: {
    side: "loss",
    isFinal: false,
    from: ({ pro, endOfDay }) => {
      const known = pro?.statistics ?? null;
      return known === null ? null : deeperFrom(endOfDay.highWater, known.maxDrawdown);
    },
    at: ({ endOfDay }, equity) => ({
      kind: "deeper",
      maxDrawdown: drawdownBelow(endOfDay.highWater, equity),
    }),
  },
  breach: {
    side: "loss",
    isFinal: true,
    from: liveBreachFrom,
    at: (state, equity) => {
      const breach = liveBreach(state, equity);
      assert(breach !== null, "a limit that is breached from this equity on");
      return { kind: "breach", breach };
    },
  },
  passed: {
    side: "gain",
    isFinal: true,
    from: passedFrom,
    at: () => ({ kind: "passed" }),
  },
  neared: {
    side: "loss",
    isFinal: false,
    from: nearedFrom,
    at: (state, equity) => {
      const neared = nearedLimit(state, equity, "live");
      assert(neared !== null, "a limit with a new level from this equity on");
      return { kind: "neared", neared };
    },
  },
};

const ALL: readonly Effect<Verdict>[] = Object.values(EFFECTS);

/**
 * The next consequence of this equity; null when there is none.
 * @rule D7.breach D7.pass D7.maxDrawdown
 */
export function verdictAt(state: AccountState, equity: MicroUsd): Verdict | null {
  if (state.status !== "active") return null;
  for (const { side, from, at } of ALL) {
    const edge = from(state);
    if (edge === null) continue;
    if (side === "loss" ? equity <= edge : equity >= edge) return at(state, equity);
  }
  return null;
}

/** The equities between two edges have no effect; those at the edges and beyond them have. */
export interface QuietRange {
  /** Null when no loss has an effect. */
  readonly from: MicroUsd | null;
  /** Null when no gain has an effect. */
  readonly to: MicroUsd | null;
}

/** Every effect, or only those that end or pass the account. */
export type EffectScope = "all" | "final";

const EVERY_EQUITY: QuietRange = { from: null, to: null };

/** The equities without an effect. There are none when `from` is not below `to`, as after a target was reached. */
export function quietRanges(state: AccountState): Readonly<Record<EffectScope, QuietRange>> {
  let all = EVERY_EQUITY;
  let final = EVERY_EQUITY;
  for (const { side, isFinal, from } of state.status === "active" ? ALL : []) {
    const edge = from(state);
    if (edge === null) continue;
    all = cutAt(all, side, edge);
    if (isFinal) final = cutAt(final, side, edge);
  }
  return { all, final };
}

function cutAt({ from, to }: QuietRange, side: Side, edge: MicroUsd): QuietRange {
  if (side === "gain") return { from, to: to === null || edge < to ? edge : to };
  return { from: from === null || edge > from ? edge : from, to };
}
