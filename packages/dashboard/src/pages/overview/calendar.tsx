import type { Account, Linked } from "@propgate/contract";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useNow } from "../../clock.tsx";
import { signedPercentText, signedText } from "../../format/numbers.ts";
import { dayText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { GainFigure } from "../../parts/figure.tsx";
import { Panel } from "../../parts/panel.tsx";
import {
  type CalendarDay,
  type CalendarWeek,
  dateAfter,
  endDateOf,
  monthAfter,
  monthName,
  monthSummaryOf,
  weeksOf,
} from "./calendar-month.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** How many days each arrow key moves. A row of the calendar is a week. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

/** The return of each UTC day, with one month shown at a time. */
export function Calendar({
  account,
  isOver,
}: {
  readonly account: Account<Linked>;
  readonly isOver: boolean;
}) {
  const returns = account.performance.dailyReturns;
  const end = endDateOf(account);
  const now = useNow();
  const today = end ?? dayText(now);
  const [chosen, setChosen] = useState<string | null>(null);
  const date = chosen ?? returns.at(-1)?.date ?? today;
  const month = date.slice(0, 7);
  const earliest = dayText(account.performance.challengeStartMs);
  const first = returns[0]?.date ?? earliest;
  const value = returns.find((day) => day.date === date)?.value ?? null;
  return (
    <Panel
      title="Daily returns"
      aside={<MonthSwitch month={month} first={first} today={today} onChange={setChosen} />}
    >
      <MonthGrid
        weeks={weeksOf(month, returns)}
        month={month}
        chosen={date}
        onChoose={(next) => setChosen(next)}
      />
      <p className="mt-2 flex min-h-5 flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span aria-live="polite">
          {date}:{" "}
          {value === null ? (
            noReturnText(date, today, isOver)
          ) : (
            <GainFigure
              value={value}
              as={signedPercentText}
              field="performance.dailyReturns[].value"
            />
          )}
          {date === end && ", the day on which the account ended"}
        </span>
        <MonthTotal account={account} month={month} />
      </p>
    </Panel>
  );
}

function noReturnText(date: string, today: string, hasEnded: boolean): string {
  if (hasEnded) return date > today ? "after the end of the account" : NOT_A_FULL_DAY;
  if (date === today) return "today: its return is known at 00:00 UTC";
  return date > today ? "in the future" : NOT_A_FULL_DAY;
}

const NOT_A_FULL_DAY = "not a full day of this account";

function MonthTotal({
  account,
  month,
}: {
  readonly account: Account<Linked>;
  readonly month: string;
}) {
  const { total, gains, losses } = monthSummaryOf(month, account.performance.dailyReturns);
  return (
    <span>
      Month: <GainFigure value={total} as={signedPercentText} />, {gains} up, {losses} down
    </span>
  );
}

function MonthSwitch({
  month,
  first,
  today,
  onChange,
}: {
  readonly month: string;
  readonly first: string;
  readonly today: string;
  readonly onChange: (date: string) => void;
}) {
  const go = (months: number): void => onChange(`${monthAfter(month, months)}-01`);
  return (
    <span className="flex items-center gap-1">
      <Button
        kind="quiet"
        aria-label="Previous month"
        disabled={month <= first.slice(0, 7)}
        onClick={() => go(-1)}
      >
        <span aria-hidden="true">{"\u2190"}</span>
      </Button>
      <span className="min-w-28 text-center text-xs" aria-live="polite">
        {monthName(month)}
      </span>
      <Button
        kind="quiet"
        aria-label="Next month"
        disabled={month >= today.slice(0, 7)}
        onClick={() => go(1)}
      >
        <span aria-hidden="true">{"\u2192"}</span>
      </Button>
    </span>
  );
}

interface MonthGridProps {
  readonly weeks: readonly CalendarWeek[];
  readonly month: string;
  readonly chosen: string;
  readonly onChoose: (date: string) => void;
}

/**
 * The days of a month. The chosen day has the focus: arrow keys move by days and weeks, Page Up and Page Down by
 * months.
 */
function MonthGrid({ weeks, month, chosen, onChoose }: MonthGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-date="${chosen}"]`)?.focus();
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = dateByKey(event.key, chosen, month);
    if (next === null) return;
    event.preventDefault();
    byKey.current = true;
    onChoose(next);
  };
  return (
    <table
      ref={grid}
      aria-label={`Returns of ${monthName(month)}, percent`}
      className="w-full table-fixed border-separate border-spacing-0.5"
    >
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col" className="pb-1 text-xs font-medium text-muted">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.date}>
            {week.days.map((day, weekday) => (
              <td key={day?.date ?? WEEKDAYS[weekday]} className="h-10 p-0">
                {day !== null && (
                  <Day
                    day={day}
                    isChosen={day.date === chosen}
                    onChoose={onChoose}
                    onKeyDown={onKeyDown}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dateByKey(key: string, chosen: string, month: string): string | null {
  const days = STEPS[key];
  if (days !== undefined) return dateAfter(chosen, days);
  if (key === "PageUp") return `${monthAfter(month, -1)}-01`;
  return key === "PageDown" ? `${monthAfter(month, 1)}-01` : null;
}

const GROUNDS = { gain: "bg-gain/12", loss: "bg-loss/12", none: "bg-ground" } as const;

function groundOf(value: number | null): string {
  if (value === null || isFlat(value)) return GROUNDS.none;
  return value > 0 ? GROUNDS.gain : GROUNDS.loss;
}

function Day({
  day,
  isChosen,
  onChoose,
  onKeyDown,
}: {
  readonly day: CalendarDay;
  readonly isChosen: boolean;
  readonly onChoose: (date: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}) {
  const { date, value } = day;
  return (
    <button
      type="button"
      tabIndex={isChosen ? 0 : -1}
      aria-pressed={isChosen}
      title={value === null ? date : `${date}: ${value}% \u00B7 performance.dailyReturns[].value`}
      data-date={date}
      onClick={() => onChoose(date)}
      onKeyDown={onKeyDown}
      className={`block h-10 w-full rounded-xs px-1 text-xs leading-4 aria-pressed:ring-1 aria-pressed:ring-accent ${groundOf(value)}`}
    >
      <span className="figure block text-left text-muted">{day.day}</span>
      <span className={`figure block min-h-4 text-right ${toneClass(value)}`}>
        {value === null ? (
          <span className="sr-only">no return</span>
        ) : (
          <>
            {signedText(value, 2)}
            <span className="sr-only"> percent</span>
          </>
        )}
      </span>
    </button>
  );
}

/** True for a return that rounds to zero or is unknown. It counts as neither gain nor loss. */
function isFlat(value: number | null): boolean {
  return value === null || Math.abs(value) < 0.005;
}

function toneClass(value: number | null): string {
  if (value === null || isFlat(value)) return "";
  return value > 0 ? "text-gain" : "text-loss";
}
