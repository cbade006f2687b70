import { equityOf } from "../account/equity.ts";
import { assert } from "../assert.ts";
import { profitOf } from "../challenge/target.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import { NEW_PAYMENT, type Payout, payoutId } from "../state/payout.ts";
import {
  addUsd,
  type MicroUsd,
  microUsd,
  ratio,
  roundMicroUsd,
  type UnixMs,
  unixMs,
} from "../units.ts";
import { isCycleHeld } from "./held-cycle.ts";

/** The figures of a payout cycle at a given profit. */
export interface CycleFigures {
  /**
   * The profit above the payout mark: the highest profit at the end of an earlier cycle or at a promotion. So losses
   * have to be recovered first.
   */
  readonly gross: MicroUsd;
  /** The trader's share of `gross`, after split and scale. */
  readonly share: MicroUsd;
  readonly isHeld: boolean;
  /** Shares that were withheld in earlier cycles and are paid with this one. */
  readonly released: MicroUsd;
  /** `share` + `released`; 0 for a held cycle. */
  readonly payable: MicroUsd;
}

/**
 * The figures of the cycle in progress: gross = max(0, profit − mark), where the mark is the highest profit at the end
 * of an earlier cycle or at a promotion, and share = gross × split × scale of the phase. A held cycle pays no share. A
 * cycle that is not held also releases earlier withheld shares, unless the account is below its size: then they stay
 * withheld.
 * @rule D7.scale S2.1.1.softBreach D13.mark @rule D7.payouts D7.split decides
 */
export function cycleFigures(
  state: Pick<AccountState, "phase" | "terms" | "pro" | "earning">,
  profit: MicroUsd,
): CycleFigures {
  assert(state.earning !== null, "an account that earns");
  const gross = microUsd(Math.max(0, profit - state.earning.mark));
  const scale = state.pro?.payoutScale ?? ratio(1);
  const share = roundMicroUsd(gross * state.terms.profitSplit * scale);
  const isHeld = isCycleHeld(state);
  // While its profit is negative, an account is not paid the withheld shares of earlier cycles.
  // @rule D13.keepsWithheld decides
  const staysWithheld = isHeld || profit < 0;
  const released = staysWithheld ? microUsd(0) : (state.pro?.deferred ?? microUsd(0));
  return { gross, share, isHeld, released, payable: isHeld ? released : addUsd(share, released) };
}

/**
 * Closes the cycle in progress at this time; does nothing in a phase that earns nothing. A cycle of zero length, or one
 * that began after this time because the clock was set back, is closed only when its gross is above zero. All open
 * positions must have a value. @rule D7.payouts @rule D13.instantCycle decides
 */
export function closeCycle(draft: Draft, atMs: UnixMs): void {
  const { earning } = draft.state;
  if (earning === null) return;
  const equity = equityOf(draft.state, draft.moment);
  assert(equity.ok, "prices for all open positions when a cycle is closed");
  const profit = profitOf(draft.state, equity.value);
  const { gross, share, released, isHeld, payable } = cycleFigures(draft.state, profit);
  const { windowStartMs: periodStartMs } = earning;
  const isInstant = periodStartMs >= atMs;
  if (isInstant && gross === 0) return;
  const endMs = isInstant ? periodStartMs + 1 : atMs;
  const period = { periodStartMs, periodEndMs: periodEnd(draft, endMs) };
  // A cycle that pays nothing, such as a held one, is recorded without a payout, so it is not listed.
  // @rule S2.5.items decides
  const payout = payable > 0 ? newPayout(draft, { ...period, amount: payable }) : null;
  draft.record({ type: "cycleClosed", ...period, profit, gross, share, released, isHeld, payout });
}

/**
 * The end of a cycle, which is part of its payout's id and must therefore differ from every other. When an earlier
 * cycle ended at that time or later, this one ends a millisecond after it. @rule D13.instantCycle
 */
function periodEnd({ state: { instantCycleEndMs = unixMs(0) } }: Draft, endMs: number): UnixMs {
  return unixMs(Math.max(endMs, instantCycleEndMs + 1));
}

function newPayout(
  { state, moment }: Draft,
  cycle: Pick<Payout, "periodStartMs" | "periodEndMs" | "amount">,
): Payout {
  return {
    id: payoutId(state.accountId, cycle.periodEndMs),
    ...cycle,
    split: state.terms.profitSplit,
    createdAtMs: moment.now,
    payment: NEW_PAYMENT,
  };
}
