/**
 * A second implementation of payouts for tests, from the list of weeks. All weeks together earn the highest profit at
 * the end of any of them, and each week earns the difference from what the earlier weeks earned.
 */

import { accrualOf, sumUnpaidTotals } from "../../payouts/accrual.ts";
import type { AccountState } from "../../state/account.ts";
import type {
  AccountClosed,
  CycleClosed,
  DeferralForfeited,
  PayoutRecorded,
  ProStarted,
} from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { Payout, PayoutId } from "../../state/payout.ts";
import { type AppliedEvent, isMondayMidnight } from "./applied-event.ts";
import { cycleEndMs } from "./cycle-end.ts";
import { expectSame, expectThat } from "./expectation.ts";
import type { LedgerModel } from "./ledger-model.ts";
import { isNearestProduct } from "./rational.ts";

const DAY_MS = 86_400_000;

/** The weeks of an account in which `base`, `split` and `scale` stay the same. */
interface Era {
  readonly sinceMs: number;
  /** The profit up to which the weeks earn nothing. */
  readonly base: number;
  readonly split: number;
  readonly scale: number;
  readonly weeks: { readonly endMs: number; readonly profit: number }[];
}

interface PayoutSums {
  /** Σ shares of all weeks. */
  readonly earned: number;
  /** Σ payouts, including released shares. */
  readonly closed: number;
  readonly paid: number;
  readonly held: number;
  readonly released: number;
  readonly forfeited: number;
}

/** Follows the weeks of one account, and compares its closed cycles and payouts with them. */
export class PayoutModel {
  readonly #ledger: LedgerModel;
  #era: Era | null = null;
  /** The Monday at which a cycle ended that is not closed yet; null when there is none. */
  #mondayMs: number | null = null;
  #isFunded = false;
  #breachedDays: number[] = [];
  #withheld: number[] = [];
  /** The sums over all cycles since the balance began at the size. A promotion does not restart them. */
  #earnings = { gross: 0, highestProfit: 0 };
  readonly #unpaid = new Map<string, Payout>();
  readonly #ids: PayoutId[] = [];
  #sums: PayoutSums = { earned: 0, closed: 0, paid: 0, held: 0, released: 0, forfeited: 0 };

  constructor(ledger: LedgerModel) {
    this.#ledger = ledger;
  }

  /** The ids of all payouts, including paid ones. */
  get ids(): readonly PayoutId[] {
    return this.#ids;
  }

  /**
   * Checks an event and applies it. It must run before the ledger model takes the event, because a cycle is measured by
   * the balance before its close.
   */
  take(applied: AppliedEvent): void {
    const { event, after } = applied;
    const split = after.terms.profitSplit;
    if (event.type === "dayEnded") this.#passMidnight(event.midnightMs);
    if (event.type === "challengePassed" || event.type === "proStarted") {
      this.#earnings = { gross: 0, highestProfit: 0 };
    }
    if (event.type === "challengePassed") {
      this.#begin({ sinceMs: event.atMs, base: 0, split, scale: 1 });
    }
    if (event.type === "proStarted") this.#startPro(event);
    if (event.type === "proPromoted") {
      this.#expectClosed(event.promotedMs);
      expectSame(event.profit, this.#profit(applied), "the profit of a promotion");
      this.#isFunded = true;
      const earned = this.#era === null ? 0 : highestEarnedProfit(this.#era);
      const base = Math.max(earned, event.profit, 0);
      this.#begin({ sinceMs: event.promotedMs, base, split, scale: 1 });
    }
    if (event.type === "softBreached") this.#breachedDays.push(event.dayStartMs);
    if (event.type === "cycleClosed") this.#close(event, applied);
    if (event.type === "deferralForfeited") this.#forfeit(event);
    if (event.type === "payoutRecorded") this.#record(event);
    if (event.type === "accountClosed") this.#checkClosing(event, applied);
    if (event.type === "accountEliminated" || event.type === "accountClosed") {
      expectSame(this.#deferred, 0, "the withheld amount when an account ends");
      this.#era = null;
      this.#mondayMs = null;
    }
  }

  check(state: AccountState, moment: Moment): void {
    expectSame(this.#mondayMs, null, "the Monday without a closed cycle");
    const unpaid = [...this.#unpaid.values()].reduce((sum, { amount }) => sum + amount, 0);
    const { closed, paid, earned, held, released, forfeited } = this.#sums;
    expectSame(sumUnpaidTotals(state).amount, unpaid, "the unpaid amount");
    expectSame(unpaid, closed - paid, "closed amounts less paid amounts");
    expectSame(earned, closed + this.#deferred + forfeited, "all shares since the account opened");
    expectSame(state.pro?.deferred ?? 0, this.#deferred, "the withheld amount");
    expectSame(
      this.#deferred,
      held - released - forfeited,
      "held amounts that were not released or forfeited",
    );
    expectSame(
      state.unpaid.map(({ id }) => id).join(),
      [...this.#unpaid.keys()].join(),
      "unpaid ids",
    );
    const era = this.#era;
    expectSame(state.earning === null, era === null, "whether the account earns");
    if (era === null || state.earning === null) return;
    const { windowStartMs, mark } = state.earning;
    expectSame(windowStartMs, windowStartOf(era), "the start of the cycle in progress");
    expectSame(mark, highestEarnedProfit(era), "the mark of the payouts");
    this.#checkAccrual(state, moment);
  }

  get #deferred(): number {
    return this.#withheld.reduce((sum, one) => sum + one, 0);
  }

  /** Whether the cycle is held, because a day that missed a daily target ended within it. */
  #isHeld(windowStartMs: number): boolean {
    return this.#isFunded && this.#breachedDays.some((dayMs) => dayMs + DAY_MS > windowStartMs);
  }

  #profit({ before, moment }: AppliedEvent): number | null {
    return before === null ? null : this.#ledger.profit(before, moment);
  }

  #passMidnight(midnightMs: number): void {
    expectSame(this.#mondayMs, null, "the Monday without a closed cycle");
    if (this.#era === null || !isMondayMidnight(midnightMs)) return;
    if (windowStartOf(this.#era) < midnightMs) this.#mondayMs = midnightMs;
  }

  /**
   * Checks the last cycle of a phase.
   * @throws when an earning phase ends without closing it
   */
  #expectClosed(phaseEndMs: number): void {
    expectThat(
      this.#era === null || windowStartOf(this.#era) >= phaseEndMs,
      "the end of a phase closes its last cycle",
    );
  }

  /**
   * Checks that nothing is lost when an account is closed: the share of the cycle in progress is in a closed cycle, or
   * the event names it. @rule D13.closing
   */
  #checkClosing(event: AccountClosed, applied: AppliedEvent): void {
    const forfeited: number = event.forfeited ?? 0;
    const era = this.#era;
    const profit = this.#profit(applied);
    if (era === null || profit === null) {
      expectSame(forfeited, 0, "the forfeited amount of an account that does not earn");
      return;
    }
    const gross =
      highestGross([...era.weeks, { profit }], era.base) - highestGross(era.weeks, era.base);
    const isNearest = isNearestProduct(forfeited, [gross, era.split, era.scale]);
    expectThat(isNearest, `closing forfeits ${forfeited} of ${gross}`);
  }

  #begin(era: Omit<Era, "weeks">): void {
    this.#era = { ...era, weeks: [] };
  }

  #forfeit({ amount }: DeferralForfeited): void {
    expectSame(amount, this.#deferred, "the forfeited amount");
    expectThat(amount > 0, "a forfeiture needs a withheld amount");
    this.#add({ forfeited: amount });
    this.#withheld = [];
  }

  #startPro({ phase, startMs, terms }: ProStarted): void {
    this.#expectClosed(startMs);
    this.#era = null;
    if (phase === "proChallengeDirect") return;
    const { profitSplit: split, challengePayoutScale: scale } = terms;
    this.#begin({ sinceMs: startMs, base: 0, split, scale });
  }

  #close(event: CycleClosed, applied: AppliedEvent): void {
    const era = this.#era;
    expectThat(era !== null, "only an account that earns has a cycle");
    if (event.periodEndMs === this.#mondayMs) this.#mondayMs = null;
    expectSame(event.periodStartMs, windowStartOf(era), "a cycle starts where the last one ended");
    expectThat(event.periodStartMs < event.periodEndMs, "a cycle is longer than zero");
    expectThat(cycleEndMs(event) <= event.atMs, "a cycle is closed at its end or later");
    expectThat(cycleEndMs(event) > event.periodStartMs || event.gross > 0, "no time earns nothing");
    expectSame(event.profit, this.#profit(applied), "the profit of a cycle");
    const earlier = highestGross(era.weeks, era.base);
    era.weeks.push({ endMs: event.periodEndMs, profit: event.profit });
    const gross = highestGross(era.weeks, era.base) - earlier;
    expectSame(event.gross, gross, "the gross of a cycle");
    this.#checkEarnings(event);
    const isNearest = isNearestProduct(event.share, [gross, era.split, era.scale]);
    expectThat(isNearest, `${event.share} is ${gross} × ${era.split} × ${era.scale}`);
    this.#settle(event, applied);
  }

  /** Checks that no profit is paid twice, and none below the size. @rule D13.mark */
  #checkEarnings({ gross, profit, payout }: CycleClosed): void {
    const { gross: before, highestProfit } = this.#earnings;
    this.#earnings = {
      gross: before + gross,
      highestProfit: Math.max(highestProfit, profit),
    };
    expectThat(
      this.#earnings.gross <= this.#earnings.highestProfit,
      "all cycles together earn at most the highest profit of one",
    );
    expectThat(gross === 0 || profit > 0, "no cycle below the size earns");
    expectThat(payout === null || profit >= 0, "no cycle below the size has a payout");
  }

  #settle(event: CycleClosed, { after }: AppliedEvent): void {
    const { share, periodStartMs, payout } = event;
    const isHeld = this.#isHeld(periodStartMs);
    const released = isHeld || event.profit < 0 ? 0 : this.#deferred;
    expectSame(event.isHeld, isHeld, "whether a cycle is held");
    expectSame(event.released, released, "the released amount of a cycle");
    const amount = isHeld ? 0 : share + released;
    expectSame(payout?.amount ?? 0, amount, "the payout of a cycle");
    this.#add({
      earned: share,
      closed: amount,
      held: isHeld ? share : 0,
      released: event.released,
    });
    if (isHeld) this.#withheld.push(share);
    else if (event.profit >= 0) this.#withheld = [];
    if (payout === null) return;
    expectThat(payout.amount > 0, "a payout is above zero");
    expectThat(!this.#ids.includes(payout.id), "a payout's id is unique");
    expectSame(payout.id, `po_${after.accountId}_${event.periodEndMs}`, "a payout's id");
    expectSame(payout.payment.status, "pending", "the status of a new payout");
    this.#ids.push(payout.id);
    this.#unpaid.set(payout.id, payout);
  }

  #record({ payout, atMs }: PayoutRecorded): void {
    const known = this.#unpaid.get(payout.id);
    expectThat(known !== undefined, "a payment belongs to an unpaid payout");
    expectSame(
      JSON.stringify({ ...payout, payment: null }),
      JSON.stringify({ ...known, payment: null }),
      "the fields that a payment does not change",
    );
    const { status, paidAtMs, requestedAtMs } = payout.payment;
    const requested = known.payment.requestedAtMs ?? (status === "pending" ? null : atMs);
    expectSame(requestedAtMs, requested, "the time at which processing started");
    expectSame(paidAtMs, status === "paid" ? atMs : null, "the time of a payment");
    if (status !== "paid") {
      this.#unpaid.set(payout.id, payout);
      return;
    }
    this.#unpaid.delete(payout.id);
    this.#add({ paid: payout.amount });
  }

  /** Checks that the estimate equals the payout that closing the cycle at this moment would give. */
  #checkAccrual(state: AccountState, moment: Moment): void {
    const accrual = accrualOf(state, moment);
    const profit = this.#ledger.profit(state, moment);
    expectSame(accrual.ok, profit !== null, "whether the accrual is known");
    const era = this.#era;
    if (!accrual.ok || accrual.value === null || profit === null || era === null) return;
    const { estimate, windowStartMs } = accrual.value;
    expectSame(windowStartMs, windowStartOf(era), "the start of the accrual");
    const isHeld = this.#isHeld(windowStartMs);
    const released = isHeld || profit < 0 ? 0 : this.#deferred;
    if (estimate === null) {
      expectThat(state.positions.length === 0, "an empty estimate has no open position");
      expectSame(released, 0, "what an empty estimate would release");
      return;
    }
    const weeks = [...era.weeks, { profit }];
    const gross = highestGross(weeks, era.base) - highestGross(era.weeks, era.base);
    const share = isHeld ? 0 : estimate - released;
    expectThat(
      isHeld ? estimate === 0 : isNearestProduct(share, [gross, era.split, era.scale]),
      `the estimate ${estimate}`,
    );
  }

  #add(more: Partial<PayoutSums>): void {
    const sums = { ...this.#sums };
    for (const [name, amount] of Object.entries(more)) sums[name as keyof PayoutSums] += amount;
    this.#sums = sums;
  }
}

function windowStartOf({ sinceMs, weeks }: Era): number {
  return weeks.at(-1)?.endMs ?? sinceMs;
}

/** The highest profit for which a share was earned. Only profit above it earns a further share. */
function highestEarnedProfit({ weeks, base }: Era): number {
  return base + highestGross(weeks, base);
}

/** The sum of the gross of these weeks. It equals the highest profit of any of them above `base`. */
function highestGross(weeks: readonly { readonly profit: number }[], base: number): number {
  return Math.max(0, ...weeks.map(({ profit }) => profit - base));
}
