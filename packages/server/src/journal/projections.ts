import {
  type AccountId,
  type AccountState,
  assert,
  dailyReturn,
  type Event,
  type Payout,
  type PayoutStatus,
  type Percent,
  type UnixMs,
} from "@propgate/core";

export interface ClosedTrade {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly tradeId: string;
  readonly closedAtMs: UnixMs;
  /** JSON. */
  readonly trade: string;
}

export interface EndedDay {
  readonly accountId: AccountId;
  readonly dayStartMs: UnixMs;
  readonly percent: Percent;
}

/** A payout as it reads after the newest event about it. */
export interface PayoutRow {
  readonly accountId: AccountId;
  readonly payoutId: string;
  readonly periodStartMs: UnixMs;
  readonly periodEndMs: UnixMs;
  /** Of the journal line that closed its cycle. */
  readonly seq: number;
  readonly status: PayoutStatus;
  /** JSON. */
  readonly payout: string;
}

/** What events put into tables of their own, because a state that kept it would only ever grow. */
export interface Projections {
  readonly trades: readonly ClosedTrade[];
  readonly dailyReturns: readonly EndedDay[];
  readonly payouts: readonly PayoutRow[];
}

/** A line of the journal as the executor writes it, or as a rebuild reads it again. */
export interface ProjectedLine {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly event: Event;
  /** The account as the event found it. */
  readonly before: AccountState | null;
}

export interface Projector {
  add(line: ProjectedLine): void;
  rows(): Projections;
}

/**
 * Collects the rows of events, in the order in which they happened. A payout that is closed and
 * recorded in one collection is one row of it.
 */
export function createProjector(): Projector {
  const trades: ClosedTrade[] = [];
  const dailyReturns: EndedDay[] = [];
  const payouts = new Map<string, PayoutRow>();
  return {
    add({ accountId, seq, event, before }) {
      if (event.type === "positionClosed") {
        const { trade } = event;
        const { id: tradeId, closedAtMs } = trade;
        trades.push({ accountId, seq, tradeId, closedAtMs, trade: JSON.stringify(trade) });
      } else if (event.type === "dayEnded") {
        assert(before !== null, "an account whose day ends");
        dailyReturns.push({ accountId, ...dailyReturn(before.day, event) });
      } else if (event.type === "cycleClosed" || event.type === "payoutRecorded") {
        const { payout } = event;
        if (payout === null) return;
        const firstSeq = payouts.get(payout.id)?.seq ?? seq;
        payouts.set(payout.id, payoutRow(payout, { accountId, seq: firstSeq }));
      }
    },
    rows: () => ({ trades, dailyReturns, payouts: [...payouts.values()] }),
  };
}

function payoutRow(
  payout: Payout,
  line: { readonly accountId: AccountId; readonly seq: number },
): PayoutRow {
  const { id: payoutId, periodStartMs, periodEndMs, payment } = payout;
  return {
    ...line,
    ...{ payoutId, periodStartMs, periodEndMs },
    status: payment.status,
    payout: JSON.stringify(payout),
  };
}
