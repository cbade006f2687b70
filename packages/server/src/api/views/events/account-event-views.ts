import type { EventPayout } from "@propgate/contract";
import { dollars, type Payout } from "@propgate/core";
import {
  ASSET_CLASS_WORDS,
  bucketWord,
  eliminationReason,
  LOSS_LIMIT_WORDS,
  PAYOUT_STATUS_WORDS,
} from "../../wire.ts";
import { type EventViews, view } from "./view-of-event.ts";

/** Events of the account, its phases and its payouts. @rule D9.eventViews */
export const ACCOUNT_EVENT_VIEWS = {
  accountOpened: ({ terms, provisioned }) =>
    view("account.opened", {
      programId: terms.programId,
      programVersion: terms.programVersion,
      variant: terms.variant,
      assetClass: ASSET_CLASS_WORDS[terms.assetClass],
      size: dollars(terms.size),
      drawdownCriteria: terms.criteria,
      provisioned,
    }),
  accountProvisioned: () => view("account.provisioned", { status: "active" }),
  accountEliminated: ({ elimination: { cause, drawdownPct } }) =>
    view("account.eliminated", { reason: eliminationReason(cause), drawdownPct }),
  accountClosed: ({ forfeited }) =>
    view("account.closed", {
      status: "closed",
      ...(forfeited === undefined ? {} : { forfeited: dollars(forfeited) }),
    }),
  challengePassed: ({ by, equity }) => view("challenge.passed", { by, equity: dollars(equity) }),
  proOffered: ({ terms, transitionEndsAtMs }) =>
    view("pro.offered", {
      programId: terms.programId,
      programVersion: terms.programVersion,
      size: dollars(terms.size),
      transitionEndsAtMs,
    }),
  proStarted: ({ phase, terms, startMs, equity }) =>
    view(
      "pro.started",
      {
        bucket: bucketWord("active", phase),
        programId: terms.programId,
        programVersion: terms.programVersion,
        size: dollars(terms.size),
        startMs,
        equity: dollars(equity),
      },
      startMs,
    ),
  proPromoted: ({ by, profit, promotedMs }) =>
    view("pro.promoted", { by, profit: dollars(profit), promotedMs }, promotedMs),
  softBreached: ({ dayStartMs }) => view("pro.soft_breached", { dayStartMs }),
  drawdownDeepened: ({ maxDrawdown }) => view("drawdown.deepened", { maxDrawdown }),
  limitNeared: ({ rule, level, equity, floor, worst }) =>
    view("limit.neared", {
      rule: LOSS_LIMIT_WORDS[rule].rule,
      level,
      equity: dollars(equity),
      floor: dollars(floor),
      tradePair: worst?.pair ?? null,
      price: worst?.price ?? null,
    }),
  cycleClosed: (cycle) =>
    view(
      "payout.cycle_closed",
      {
        periodStartMs: cycle.periodStartMs,
        periodEndMs: cycle.periodEndMs,
        profit: dollars(cycle.profit),
        gross: dollars(cycle.gross),
        share: dollars(cycle.share),
        released: dollars(cycle.released),
        isHeld: cycle.isHeld,
        payout: cycle.payout === null ? null : eventPayout(cycle.payout),
      },
      cycle.periodEndMs,
    ),
  payoutRecorded: ({ payout }) => view("payout.updated", { payout: eventPayout(payout) }),
  deferralForfeited: ({ amount }) => view("payout.forfeited", { amount: dollars(amount) }),
} satisfies Partial<EventViews>;

function eventPayout({ payment, ...payout }: Payout): EventPayout {
  return {
    id: payout.id,
    periodStartMs: payout.periodStartMs,
    periodEndMs: payout.periodEndMs,
    amount: dollars(payout.amount),
    profitSplit: payout.split,
    status: PAYOUT_STATUS_WORDS[payment.status],
    rail: payment.rail,
    provider: payment.provider,
    reference: payment.reference,
    requestedAtMs: payment.requestedAtMs,
    paidAtMs: payment.paidAtMs,
    createdAtMs: payout.createdAtMs,
  };
}
