import type { AccrualItem, Linked, PayoutItem, Payouts } from "@propgate/contract";
import {
  type AccountId,
  dollars,
  payoutId,
  startOfUtcWeek,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { LinkedRecord, PayoutsPage, PayoutsPosition } from "@propgate/ledger";
import { type PayoutsAnswer, percentText, roundedPercent, usdOrNull } from "@propgate/wire";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import type { Settlement, Settlements } from "../dashboard/settlements.ts";
import { multiplyUsd, sumUsd } from "./exact-usd.ts";
import { linkedStatus, phaseOf } from "./phase.ts";

export interface LinkedPayoutsReading {
  readonly accountId: AccountId;
  readonly readings: LinkedReadings;
  /**
   * The answer of the payout call for all weeks until the present. `none`: the network has no history of the account.
   * `unreachable`: the call failed, and only stored weeks are known.
   */
  readonly settlements: Settlements | "none" | "unreachable";
  /** Records of the kind `payout`, from earlier answers. */
  readonly records: readonly LinkedRecord[];
  /** The trader's share as a ratio. The network does not know it. */
  readonly profitSplit: number;
  readonly page: PayoutsPage;
  readonly asOfMs: UnixMs;
}

/**
 * A page of closed cycles, newest first, and on the first page the estimate for the week in progress. The service does
 * not pay linked accounts: status, rail, provider and the unpaid amount are null. @rule S2.5 S3.accrualStatus
 */
export function linkedPayoutsView(reading: LinkedPayoutsReading): PayoutsAnswer {
  const { after, limit } = reading.page;
  const weeks = weeksOf(reading);
  const cycles = closedCycles(reading, weeks).filter(
    (cycle) => after === null || newestFirst(positionOf(cycle), after) > 0,
  );
  const items = cycles.slice(0, limit);
  const last = items.at(-1);
  const next = last === undefined || cycles.length === items.length ? null : positionOf(last);
  return after === null
    ? { items, next, ...estimate(reading, weeks) }
    : { items, next, accrualStatus: "omitted", accrual: null };
}

/** The records of closed weeks. They are stored, so that they can be listed when a later call fails. */
export function payoutRecords(settlements: Settlements, asOfMs: UnixMs): readonly LinkedRecord[] {
  return settlements.weeks
    .filter((week) => isClosed(week, asOfMs))
    .map((week, index, weeks) => ({
      kind: "payout",
      id: `${week.endMs}${partSuffix(week, index, weeks)}`,
      atMs: week.startMs,
      body: JSON.stringify(week),
    }));
}

/** The weeks of the network's answer, or without an answer the stored weeks, oldest first. */
function weeksOf({ settlements, records }: LinkedPayoutsReading): readonly Settlement[] {
  const weeks =
    typeof settlements === "string"
      ? records.map(({ body }) => JSON.parse(body) as Settlement)
      : settlements.weeks;
  return weeks.toSorted((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
}

function isClosed({ startMs }: Settlement, asOfMs: UnixMs): boolean {
  return startMs < startOfUtcWeek(asOfMs);
}

/** The cycles of closed weeks, newest first. A week without an amount to pay, such as a held one, is not listed. */
function closedCycles(
  { accountId, profitSplit, asOfMs }: LinkedPayoutsReading,
  weeks: readonly Settlement[],
): readonly PayoutItem<Linked>[] {
  return weeks
    .filter((week) => isClosed(week, asOfMs))
    .flatMap((week, index, closed) => {
      const amount = payoutAmountOf(week, profitSplit);
      if (amount === null) return [];
      const id = payoutId(accountId, unixMs(week.endMs)) + partSuffix(week, index, closed);
      return [{ ...UNPAID, ...payoutCycleOf(week), id, amount, ...profitSplitFields(profitSplit) }];
    })
    .toSorted((one, other) => newestFirst(positionOf(one), positionOf(other)));
}

/** The trader's share of a week in USD; null when no amount is to be paid for it. */
export function payoutAmountOf({ payout }: Settlement, profitSplit: number): number | null {
  const amount = multiplyUsd(payout, profitSplit);
  return amount === null || amount <= 0 ? null : dollars(amount);
}

/**
 * The suffix of the id of a payout. A promotion divides its week into parts; the payouts of the second and later parts
 * have a number.
 */
function partSuffix(week: Settlement, index: number, weeks: readonly Settlement[]): string {
  const before = weeks.slice(0, index).filter(({ endMs }) => endMs === week.endMs).length;
  return before === 0 ? "" : `_${before + 1}`;
}

/** The validator makes the payments, and does not send their details. */
export const PAYMENT_NOT_KNOWN = {
  status: null,
  rail: null,
  provider: null,
  reference: null,
  requestedAtMs: null,
  paidAtMs: null,
  paidAmount: null,
} as const;

const UNPAID = {
  currency: "USD",
  ...PAYMENT_NOT_KNOWN,
  alphaAmount: null,
  alphaDestination: null,
} as const;

/** The payout cycle of a week. Its payout counts as created when the week ends. */
export function payoutCycleOf({
  startMs,
  endMs,
}: Settlement): Pick<PayoutItem<Linked>, "periodStartMs" | "periodEndMs" | "createdAtMs"> {
  return { periodStartMs: startMs, periodEndMs: endMs, createdAtMs: endMs };
}

function profitSplitFields(
  split: number,
): Pick<PayoutItem<Linked>, "profitSplit" | "profitSplitPercent"> {
  return { profitSplit: percentText(split), profitSplitPercent: roundedPercent(split) };
}

function positionOf({ periodStartMs, id }: PayoutItem<Linked>): PayoutsPosition {
  return { periodStartMs: unixMs(periodStartMs), id };
}

function newestFirst(one: PayoutsPosition, other: PayoutsPosition): number {
  return (
    other.periodStartMs - one.periodStartMs ||
    (one.id < other.id ? 1 : -Number(one.id !== other.id))
  );
}

function estimate(
  { readings, settlements, profitSplit, asOfMs }: LinkedPayoutsReading,
  weeks: readonly Settlement[],
): {
  readonly accrualStatus: Payouts<Linked>["accrualStatus"];
  readonly accrual: AccrualItem<Linked>;
} {
  const earns = isEarning(readings);
  const isUnavailable = settlements === "unreachable" || earns === null;
  const accrualStatus = earns === false ? "not_applicable" : isUnavailable ? "unavailable" : "ok";
  const running = weeks.filter((week) => !isClosed(week, asOfMs));
  const gross = running.length === 0 ? null : sumUsd(running.map(({ payout }) => payout));
  const deferred = typeof settlements === "string" ? null : settlements.deferredBalance;
  return {
    accrualStatus,
    accrual: {
      estimatedAmount: accrualStatus === "ok" ? usdOrNull(multiplyUsd(gross, profitSplit)) : null,
      windowStartMs: earns === true ? (running[0]?.startMs ?? startOfUtcWeek(asOfMs)) : null,
      asOfMs,
      priorUnpaidAmount: null,
      earliestUnpaidPeriodStartMs: null,
      deferredBalance: deferred === 0 ? null : usdOrNull(multiplyUsd(deferred, profitSplit)),
    },
  };
}

/** Whether the account earns payouts; null when the phase of an active account is unknown. @rule S3.accrualStatus */
function isEarning(readings: LinkedReadings): boolean | null {
  if (linkedStatus(readings) !== "active") return false;
  switch (phaseOf(readings)) {
    case null:
      return null;
    case "challenge":
    case "proChallengeDirect":
      return false;
    case "funded":
    case "proTransition":
    case "proChallengeFromStandard":
    case "proFunded":
      return true;
  }
}
