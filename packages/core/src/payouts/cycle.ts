import type { AccountState } from "../account/account.ts";
import { equityOf } from "../account/equity.ts";
import { assert } from "../assert.ts";
import { profitOf } from "../challenge/target.ts";
import type { Draft } from "../network/draft.ts";
import { isCycleHeld } from "../pro/soft-breach.ts";
import { addUsd, type MicroUsd, microUsd, ratio, type UnixMs } from "../units.ts";
import { type Payout, payoutId, WAITING } from "./payout.ts";

/** What a cycle comes to when it is measured at a profit. */
export interface CycleFigures {
  /** Beyond every cycle before: losses are won back first. */
  readonly gross: MicroUsd;
  /** Of it the trader's, after split and scale. */
  readonly share: MicroUsd;
  readonly isHeld: boolean;
  /** Of earlier held cycles, with this one. */
  readonly released: MicroUsd;
  /** What is paid: share and released, or nothing while it is held. */
  readonly payable: MicroUsd;
}

/**
 * gross = max(0, profit − mark); the share of it is what the split and the phase's scale leave. A
 * held cycle pays nothing, a clean one releases what was held before.
 * @rule D7.payouts D7.split D7.scale S2.1.1.softBreach
 */
export function cycleFigures(
  state: Pick<AccountState, "phase" | "terms" | "pro" | "earning">,
  profit: MicroUsd,
): CycleFigures {
  assert(state.earning !== null, "an account that earns");
  const gross = microUsd(Math.max(0, profit - state.earning.mark));
  const scale = state.pro?.payoutScale ?? ratio(1);
  const share = shareOf(gross, state.terms.profitSplit * scale);
  const isHeld = isCycleHeld(state);
  const released = isHeld ? microUsd(0) : (state.pro?.deferred ?? microUsd(0));
  return { gross, share, isHeld, released, payable: isHeld ? released : addUsd(share, released) };
}

/** To the nearest micro dollar, half up: fifteen digits, because 45 × 0.7 is 31.5 and not a little less. */
function shareOf(gross: MicroUsd, part: number): MicroUsd {
  return microUsd(Math.round(Number((gross * part).toPrecision(15))));
}

/**
 * Closes the cycle in progress at a moment that has come; one of no length is none. To be called
 * while everything open can be valued.
 * @rule D7.payouts
 */
export function closeCycle(draft: Draft, periodEndMs: UnixMs): void {
  const { earning } = draft.state;
  if (earning === null || earning.windowStartMs >= periodEndMs) return;
  const equity = equityOf(draft.state, draft.moment);
  assert(equity.ok, "prices for what is open when a cycle is closed");
  const profit = profitOf(draft.state, equity.value);
  const { gross, share, released, isHeld, payable } = cycleFigures(draft.state, profit);
  const period = { periodStartMs: earning.windowStartMs, periodEndMs };
  const payout = payable > 0 ? newPayout(draft, { ...period, amount: payable }) : null;
  draft.record({ type: "cycleClosed", ...period, profit, gross, share, released, isHeld, payout });
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
    payment: WAITING,
  };
}
