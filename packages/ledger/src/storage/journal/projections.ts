import {
  type AccountId,
  type AccountState,
  assert,
  type Event,
  endedDayReturn,
  type Payout,
  type PayoutStatus,
  type Percent,
  type UnixMs,
} from "@propgate/core";

/** A row of the table `trades`. */
export interface TradeRow {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly tradeId: string;
  readonly closedAtMs: UnixMs;
  /** The trade as JSON. */
  readonly trade: string;
}

/** A row of the table `daily_returns`: the return of a day that has ended. */
export interface DailyReturnRow {
  readonly accountId: AccountId;
  readonly dayStartMs: UnixMs;
  readonly percent: Percent;
}

/** A payout after its newest event. */
export interface PayoutRow {
  readonly accountId: AccountId;
  readonly payoutId: string;
  readonly periodStartMs: UnixMs;
  readonly periodEndMs: UnixMs;
  /**
   * The number of the journal line that closed the payout's cycle. When the event is a recorded payment, it may be that
   * event's line; a stored row keeps its first number.
   */
  readonly seq: number;
  readonly status: PayoutStatus;
  /** The payout as JSON. */
  readonly payout: string;
}

/** A pending order that could not fill when its price was reached. @rule D10.rejected */
export interface RejectedOrderRow {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly orderUuid: string;
  readonly rejectedAtMs: UnixMs;
  /** The refusal's code. */
  readonly code: string;
  /** The refusal as JSON. */
  readonly refusal: string;
  /** The pending order before its rejection, as JSON. */
  readonly placed: string;
}

/** The rows that events add to tables of their own. A state that contained them would grow without bound. */
export interface Projections {
  readonly trades: readonly TradeRow[];
  readonly dailyReturns: readonly DailyReturnRow[];
  readonly payouts: readonly PayoutRow[];
  readonly rejectedOrders: readonly RejectedOrderRow[];
}

/** A journal line that the executor writes, or that a rebuild reads. */
export interface ProjectedLine {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly event: Event;
  /** The account before the event; null for the event that opens the account. */
  readonly before: AccountState | null;
}

/** Collects the projections of journal lines. */
export interface Projector {
  add(line: ProjectedLine): void;
  rows(): Projections;
}

/**
 * Collects the rows of events, in the order of the events. A payout that is closed and then recorded has one row, with
 * its newest state.
 */
export function createProjector(): Projector {
  const trades: TradeRow[] = [];
  const dailyReturns: DailyReturnRow[] = [];
  const payouts = new Map<string, PayoutRow>();
  const rejectedOrders: RejectedOrderRow[] = [];
  return {
    add(line) {
      const { accountId, seq, event, before } = line;
      const rejection = rejectionOf(event);
      if (rejection !== null) rejectedOrders.push(rejectedOrderRow(line, rejection));
      const day = before === null ? null : endedDayReturn(before, event);
      if (day !== null) dailyReturns.push({ accountId, ...day });
      if (event.type === "positionClosed") {
        const { trade } = event;
        const { id: tradeId, closedAtMs } = trade;
        trades.push({ accountId, seq, tradeId, closedAtMs, trade: JSON.stringify(trade) });
      } else if (event.type === "cycleClosed" || event.type === "payoutRecorded") {
        const { payout } = event;
        if (payout === null) return;
        const firstSeq = payouts.get(payout.id)?.seq ?? seq;
        payouts.set(payout.id, payoutRow(payout, { accountId, seq: firstSeq }));
      }
    },
    rows: () => ({ trades, dailyReturns, payouts: [...payouts.values()], rejectedOrders }),
  };
}

type Rejection = Pick<RejectedOrderRow, "orderUuid" | "code" | "refusal">;

/** The rejection that the event records; null when the event rejects no order. */
function rejectionOf(event: Event): Rejection | null {
  if (event.type !== "orderRejected") return null;
  const { orderUuid, refusal } = event;
  return { orderUuid, code: refusal.code, refusal: JSON.stringify(refusal) };
}

function rejectedOrderRow(
  { accountId, seq, event, before }: ProjectedLine,
  rejection: Rejection,
): RejectedOrderRow {
  const order = before?.orders.find(({ uuid }) => uuid === rejection.orderUuid);
  assert(order !== undefined, `the order ${rejection.orderUuid} before its rejection`);
  const placed = JSON.stringify(order);
  return { accountId, seq, rejectedAtMs: event.atMs, ...rejection, placed };
}

function payoutRow(
  payout: Payout,
  line: { readonly accountId: AccountId; readonly seq: number },
): PayoutRow {
  const { id: payoutId, periodStartMs, periodEndMs, payment } = payout;
  return {
    ...line,
    payoutId,
    periodStartMs,
    periodEndMs,
    status: payment.status,
    payout: JSON.stringify(payout),
  };
}
