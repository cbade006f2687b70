import type { CycleView, ObjectiveDay } from "@propgate/contract";
import {
  type AccountState,
  balanceOf,
  type CycleClosed,
  type DayEnded,
  dollars,
  type Event,
  evolve,
  type Objective,
  objectivesAt,
  type UnixMs,
} from "@propgate/core";
import { type EquityFigures, equityFigures } from "../../equity/equity-figures.ts";
import { roundedPercent } from "../../http/views/format.ts";
import { unmetText } from "./unmet-text.ts";

/** What only the journal can tell of an account, folded out of it up to a version. */
export interface AccountHistory {
  readonly version: number;
  /** Every closed cycle, oldest first. */
  readonly cycles: readonly CycleView[];
  /** Of the pro account that runs, or ran last: its full trading days, oldest first. */
  readonly objectiveDays: readonly ObjectiveDay[];
  /** The moment at which it was opened and every midnight since, oldest first. */
  readonly dayEnds: readonly EquityFigures[];
}

/** A fold that goes on with the journal's next line. */
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
  const cycles: CycleView[] = [];
  const dayEnds: EquityFigures[] = [];

  const endDay = (before: AccountState, after: AccountState, event: DayEnded): void => {
    dayEnds.push(equityFigures(after, { ...event, atMs: event.midnightMs }));
    const { pro } = after;
    atDayEnd = pro === null ? [] : objectivesAt(after, pro, event.equity);
    const days = pro?.statistics?.tradingDays ?? 0;
    // Neither the day of the first trade nor one before it is a full one.
    if (days > (before.pro?.statistics?.tradingDays ?? 0)) {
      objectiveDays.push(objectiveDay(before.day.startMs, atDayEnd, days));
    }
  };
  const take = (before: AccountState, after: AccountState, event: Event): void => {
    if (event.type === "dayEnded") endDay(before, after, event);
    if (event.type === "softBreached") breaches.push(unmetText(event.dayStartMs, atDayEnd));
    if (event.type === "cycleClosed") {
      cycles.push(cycleView(before, event, breaches));
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

/** By the mark, the split and the scale that the cycle found. @rule D7.payouts D7.split D7.scale */
function cycleView(
  { earning, terms, pro }: AccountState,
  event: CycleClosed,
  breaches: readonly string[],
): CycleView {
  const { isHeld, payout } = event;
  return {
    periodStartMs: event.periodStartMs,
    periodEndMs: event.periodEndMs,
    profit: dollars(event.profit),
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
