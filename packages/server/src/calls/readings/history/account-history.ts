import type { CycleView, ObjectiveDay } from "@propgate/contract";
import {
  type AccountState,
  balanceOf,
  type CycleClosed,
  type DayEnded,
  dollars,
  type Event,
  evolve,
  type MicroUsd,
  microUsd,
  type Objective,
  objectivesAt,
  type UnixMs,
} from "@propgate/core";
import { type EquityFigures, equityFigures } from "@propgate/ledger";
import { roundedPercent } from "@propgate/wire";
import { unmetTargetsText } from "./unmet-text.ts";

/** An account's history, folded from its journal up to a version. */
export interface AccountHistory {
  readonly version: number;
  /** Every closed cycle, oldest first. */
  readonly cycles: readonly CycleView[];
  /** The days that count as trading days of the present or last pro account, oldest first. */
  readonly objectiveDays: readonly ObjectiveDay[];
  /** The account's figures at its opening and at every midnight since, oldest first. */
  readonly dayEnds: readonly EquityFigures[];
  /** When the account was eliminated or closed, the earlier of the two; null while it lives. */
  readonly endedAtMs: UnixMs | null;
}

/** Folds the events of one journal, in their order, into the account's history. */
export interface HistoryFold {
  add(event: Event, sequence: number): void;
  read(): AccountHistory;
}

export function createHistoryFold(): HistoryFold {
  let state: AccountState | null = null;
  let version = 0;
  let objectiveDays: ObjectiveDay[] = [];
  let atDayEnd: readonly Objective[] = [];
  let breaches: string[] = [];
  let cycleStart: CycleStart | null = null;
  let endedAtMs: UnixMs | null = null;
  const cycles: CycleView[] = [];
  const dayEnds: EquityFigures[] = [];

  const endDay = (before: AccountState, after: AccountState, event: DayEnded): void => {
    dayEnds.push(equityFigures(after, { ...event, atMs: event.midnightMs }));
    const { pro } = after;
    atDayEnd = pro === null ? [] : objectivesAt(after, pro, event.equity);
    const days = pro?.statistics?.tradingDays ?? 0;
    // Only full days after the first trade count. The days before it and the day of the trade itself do not.
    if (days > (before.pro?.statistics?.tradingDays ?? 0)) {
      objectiveDays.push(objectiveDay(before.day.startMs, atDayEnd, days));
    }
  };
  const take = (before: AccountState, after: AccountState, event: Event): void => {
    if (event.type === "dayEnded") endDay(before, after, event);
    endedAtMs ??= after.elimination?.atMs ?? (after.status === "closed" ? event.atMs : null);
    if (event.type === "softBreached") breaches.push(unmetTargetsText(event.dayStartMs, atDayEnd));
    if (event.type === "cycleClosed") {
      const start = cycleStartOf(before, cycleStart);
      cycles.push(cycleView(before, event, { breaches, start }));
      cycleStart = { ...start, profit: event.profit };
      breaches = [];
    }
    if (event.type === "proStarted") {
      objectiveDays = [];
      breaches = [];
    }
  };

  return {
    add(event, sequence) {
      const before = state;
      const after = evolve(before, event);
      state = after;
      version = sequence;
      if (before !== null) {
        take(before, after, event);
        return;
      }
      const { atMs } = event;
      dayEnds.push(
        equityFigures(after, { atMs, equity: after.terms.size, balance: balanceOf(after) }),
      );
    },
    read: () => ({
      version,
      cycles: [...cycles],
      objectiveDays: [...objectiveDays],
      dayEnds: [...dayEnds],
      endedAtMs,
    }),
  };
}

function objectiveDay(
  dayStartMs: UnixMs,
  objectives: readonly Objective[],
  tradingDays: number,
): ObjectiveDay {
  const valueAt = (key: Objective["key"]): number | null =>
    objectives.find((one) => one.key === key)?.value ?? null;
  return {
    dayStartMs,
    returnRatio: valueAt("return"),
    calmar: valueAt("calmar"),
    consistency: valueAt("consistency"),
    tradingDays,
  };
}

/** The profit to date at the beginning of a cycle. */
interface CycleStart {
  /** When the account last began to earn; null when it does not earn. A later beginning starts a new profit to date. */
  readonly sinceMs: UnixMs | null;
  readonly profit: MicroUsd;
}

/**
 * The profit at the close of the previous cycle. For the first cycle since earning began, it is `earning.mark`: the
 * profit above which the account earns.
 */
function cycleStartOf({ earning }: AccountState, last: CycleStart | null): CycleStart {
  const sinceMs = earning?.sinceMs ?? null;
  if (last !== null && last.sinceMs === sinceMs) return last;
  return { sinceMs, profit: earning?.mark ?? microUsd(0) };
}

/**
 * The view of a cycle. The account is in the state before the cycle closed. The earning mark, split and scale of that
 * state apply.
 * @rule D7.payouts D7.split D7.scale
 */
function cycleView(
  { earning, terms, pro }: AccountState,
  event: CycleClosed,
  { breaches, start }: { readonly breaches: readonly string[]; readonly start: CycleStart },
): CycleView {
  const { isHeld, payout } = event;
  return {
    periodStartMs: event.periodStartMs,
    periodEndMs: event.periodEndMs,
    profit: dollars(event.profit),
    weekProfit: dollars(microUsd(event.profit - start.profit)),
    mark: dollars(earning?.mark ?? event.profit),
    gross: dollars(event.gross),
    share: dollars(event.share),
    splitPercent: roundedPercent(terms.profitSplit),
    scale: pro?.payoutScale ?? 1,
    released: dollars(event.released),
    isHeld,
    heldBecause: isHeld ? breaches.join("; ") : null,
    payoutId: payout?.id ?? null,
  };
}
