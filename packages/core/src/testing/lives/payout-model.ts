/**
 * Payouts from the list of weeks: what all weeks together earned is the greatest profit that any of
 * them was measured at, and each is due the difference to the weeks before it.
 */

import { accrualOf, unpaidOf } from "../../payouts/accrual.ts";
import type { AccountState } from "../../state/account.ts";
import type {
  CycleClosed,
  DeferralForfeited,
  PayoutRecorded,
  ProStarted,
} from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { Payout, PayoutId } from "../../state/payout.ts";
import { type AppliedEvent, isMonday } from "./applied-event.ts";
import { holds, same } from "./expectation.ts";
import type { LedgerModel } from "./ledger-model.ts";
import { isNearestProduct } from "./rational.ts";

const DAY_MS = 86_400_000;

/** Everything between two beginnings of the payout base. */
interface Era {
  readonly sinceMs: number;
  /** Profit at which nothing has been earned yet. */
  readonly base: number;
  readonly split: number;
  readonly scale: number;
  readonly weeks: { readonly endMs: number; readonly profit: number }[];
}

interface PayoutSums {
  /** Σ shares of all weeks. */
  readonly earned: number;
  /** Σ payouts, released ones included. */
  readonly closed: number;
  readonly paid: number;
  readonly held: number;
  readonly released: number;
  readonly forfeited: number;
}

export class PayoutModel {
  readonly #ledger: LedgerModel;
  #era: Era | null = null;
  /** A Monday that has passed and has not closed its cycle yet. */
  #mondayMs: number | null = null;
  #isFunded = false;
  #breachedDays: number[] = [];
  #withheld: number[] = [];
  readonly #owed = new Map<string, Payout>();
  readonly #ids: PayoutId[] = [];
  #sums: PayoutSums = { earned: 0, closed: 0, paid: 0, held: 0, released: 0, forfeited: 0 };

  constructor(ledger: LedgerModel) {
    this.#ledger = ledger;
  }

  /** Every id that was ever made, paid ones too. */
  get ids(): readonly PayoutId[] {
    return this.#ids;
  }

  /** To be told before the ledger is: a cycle is measured at what the ledger came to until then. */
  take(told: AppliedEvent): void {
    const { event, after } = told;
    const split = after.terms.profitSplit;
    if (event.type === "dayEnded") this.#passMidnight(event.midnightMs);
    if (event.type === "challengePassed") {
      this.#begin({ sinceMs: event.atMs, base: 0, split, scale: 1 });
    }
    if (event.type === "proStarted") this.#startPro(event);
    if (event.type === "proPromoted") {
      this.#expectClosed(event.promotedMs);
      same(event.profit, this.#profit(told), "the profit of a promotion");
      this.#isFunded = true;
      this.#begin({ sinceMs: event.promotedMs, base: event.profit, split, scale: 1 });
    }
    if (event.type === "softBreached") this.#breachedDays.push(event.dayStartMs);
    if (event.type === "cycleClosed") this.#close(event, told);
    if (event.type === "deferralForfeited") this.#forfeit(event);
    if (event.type === "payoutRecorded") this.#record(event);
    if (event.type === "accountEliminated" || event.type === "accountClosed") {
      same(this.#deferred, 0, "what is still withheld when an account ends");
      this.#era = null;
      this.#mondayMs = null;
    }
  }

  check(state: AccountState, moment: Moment): void {
    same(this.#mondayMs, null, "a Monday whose cycle is not closed");
    const owed = [...this.#owed.values()].reduce((sum, { amount }) => sum + amount, 0);
    const { closed, paid, earned, held, released, forfeited } = this.#sums;
    same(unpaidOf(state).amount, owed, "what is not paid yet");
    same(owed, closed - paid, "what was closed less what was paid");
    same(earned, closed + this.#deferred + forfeited, "everything that was ever earned");
    same(state.pro?.deferred ?? 0, this.#deferred, "what is withheld");
    same(this.#deferred, held - released - forfeited, "what was held and not released since");
    same(state.unpaid.map(({ id }) => id).join(), [...this.#owed.keys()].join(), "unpaid ids");
    const era = this.#era;
    same(state.earning === null, era === null, "whether the account earns");
    if (era === null || state.earning === null) return;
    const { windowStartMs, mark } = state.earning;
    same(windowStartMs, windowStartOf(era), "the start of the cycle in progress");
    same(mark, era.base + grossOf(era.weeks, era.base), "the mark of the payouts");
    this.#checkAccrual(state, moment);
  }

  get #deferred(): number {
    return this.#withheld.reduce((sum, one) => sum + one, 0);
  }

  /** A day beyond a target that ended within the cycle. */
  #isHeld(windowStartMs: number): boolean {
    return this.#isFunded && this.#breachedDays.some((dayMs) => dayMs + DAY_MS > windowStartMs);
  }

  #profit({ before, moment }: AppliedEvent): number | null {
    return before === null ? null : this.#ledger.profit(before, moment);
  }

  #passMidnight(midnightMs: number): void {
    same(this.#mondayMs, null, "a Monday whose cycle is not closed");
    if (this.#era === null || !isMonday(midnightMs)) return;
    if (windowStartOf(this.#era) < midnightMs) this.#mondayMs = midnightMs;
  }

  /** @throws when a phase that earned ends without its last cycle. */
  #expectClosed(phaseEndMs: number): void {
    holds(
      this.#era === null || windowStartOf(this.#era) >= phaseEndMs,
      "a phase that ends closes its last cycle",
    );
  }

  #begin(era: Omit<Era, "weeks">): void {
    this.#era = { ...era, weeks: [] };
  }

  #forfeit({ amount }: DeferralForfeited): void {
    same(amount, this.#deferred, "what is forfeited");
    holds(amount > 0, "nothing is forfeited where nothing was withheld");
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

  #close(event: CycleClosed, told: AppliedEvent): void {
    const era = this.#era;
    holds(era !== null, "a cycle of an account that earns");
    if (event.periodEndMs === this.#mondayMs) this.#mondayMs = null;
    same(event.periodStartMs, windowStartOf(era), "a cycle starts where the last one ended");
    holds(event.periodStartMs < event.periodEndMs, "a cycle has a length");
    holds(event.periodEndMs <= event.atMs, "a cycle is closed when it is over, or late");
    same(event.profit, this.#profit(told), "the profit of a cycle");
    const earlier = grossOf(era.weeks, era.base);
    era.weeks.push({ endMs: event.periodEndMs, profit: event.profit });
    const gross = grossOf(era.weeks, era.base) - earlier;
    same(event.gross, gross, "the gross of a cycle");
    const isNearest = isNearestProduct(event.share, [gross, era.split, era.scale]);
    holds(isNearest, `${event.share} is ${gross} × ${era.split} × ${era.scale}`);
    this.#settle(event, told);
  }

  #settle(event: CycleClosed, { after }: AppliedEvent): void {
    const { share, periodStartMs, payout } = event;
    const isHeld = this.#isHeld(periodStartMs);
    same(event.isHeld, isHeld, "whether a cycle is held");
    same(event.released, isHeld ? 0 : this.#deferred, "what a cycle releases");
    const amount = isHeld ? 0 : share + this.#deferred;
    same(payout?.amount ?? 0, amount, "what a cycle pays");
    this.#add({
      earned: share,
      closed: amount,
      held: isHeld ? share : 0,
      released: event.released,
    });
    if (isHeld) this.#withheld.push(share);
    else this.#withheld = [];
    if (payout === null) return;
    holds(payout.amount > 0, "a cycle that pays nothing leaves no record");
    holds(!this.#ids.includes(payout.id), "a payout's id is new");
    same(payout.id, `po_${after.accountId}_${event.periodEndMs}`, "a payout's id");
    same(payout.payment.status, "pending", "a new payout");
    this.#ids.push(payout.id);
    this.#owed.set(payout.id, payout);
  }

  #record({ payout, atMs }: PayoutRecorded): void {
    const known = this.#owed.get(payout.id);
    holds(known !== undefined, "a payment of something that is owed");
    same(
      JSON.stringify({ ...payout, payment: null }),
      JSON.stringify({ ...known, payment: null }),
      "what a payment leaves alone",
    );
    const { status, paidAtMs, requestedAtMs } = payout.payment;
    const requested = known.payment.requestedAtMs ?? (status === "pending" ? null : atMs);
    same(requestedAtMs, requested, "when a payment was taken up");
    same(paidAtMs, status === "paid" ? atMs : null, "when a payment was made");
    if (status !== "paid") {
      this.#owed.set(payout.id, payout);
      return;
    }
    this.#owed.delete(payout.id);
    this.#add({ paid: payout.amount });
  }

  /** What the cycle in progress would pay is what it pays when it is closed at the same prices. */
  #checkAccrual(state: AccountState, moment: Moment): void {
    const accrual = accrualOf(state, moment);
    const profit = this.#ledger.profit(state, moment);
    same(accrual.ok, profit !== null, "whether there is an accrual");
    const era = this.#era;
    if (!accrual.ok || accrual.value === null || profit === null || era === null) return;
    const { estimate, windowStartMs } = accrual.value;
    same(windowStartMs, windowStartOf(era), "the start of the accrual");
    const isHeld = this.#isHeld(windowStartMs);
    if (estimate === null) {
      holds(state.positions.length === 0, "an accrual of what is open");
      holds(isHeld || this.#deferred === 0, "an accrual of what is released");
      return;
    }
    const weeks = [...era.weeks, { profit }];
    const gross = grossOf(weeks, era.base) - grossOf(era.weeks, era.base);
    const share = isHeld ? 0 : estimate - this.#deferred;
    holds(
      isHeld ? estimate === 0 : isNearestProduct(share, [gross, era.split, era.scale]),
      "estimate",
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

/** Σ gross of these weeks. */
function grossOf(weeks: readonly { readonly profit: number }[], base: number): number {
  return Math.max(0, ...weeks.map(({ profit }) => profit - base));
}
