/** All work that prices or time require of an account is done when the run has no faults. */
import type { AccountState, Moment, PairId, Quote } from "@propgate/core";
import { nextDueMs } from "../../../packages/core/src/testing/lives/carry-model.ts";
import {
  liveBreach,
  phaseTermsOf,
  reachesTarget,
} from "../../../packages/core/src/testing/lives/judgement-model.ts";
import { mayJudge } from "../../../packages/core/src/testing/lives/judging-model.ts";
import { openPnlOf } from "../../../packages/core/src/testing/lives/valuation-model.ts";
import { tradablePairOf } from "../../../packages/core/src/testing/reference/reference-prices.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import { liveQuote, ordersAwaitRate, reachedLevelOf } from "./reached-levels.ts";
import { boardMomentOf, type WaitingAccounts } from "./waiting-accounts.ts";

const DAY_MS = 86_400_000;

/** Finds work that is left undone, and eliminations without a reason. @rule D5.triggers D7.breach D7.clockWork */
export class DueWorkInTime implements Checker {
  readonly name = "in time";
  readonly #journal: JournalReader;
  readonly #waiting: WaitingAccounts;

  constructor(journal: JournalReader, waiting: WaitingAccounts) {
    this.#journal = journal;
    this.#waiting = waiting;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved, accounts } = await this.#journal.news(at);
    const all = [...accounts.values()].map(({ state }) => state);
    await this.#waiting.take(at, all);
    const premature = moved.flatMap(({ lines }) =>
      lines.flatMap((line) => {
        const problem = unfoundedElimination(line, accounts.get(line.accountId)?.state ?? null);
        return problem === null ? [] : [this.#found(line.accountId, problem)];
      }),
    );
    if (!at.calm || at.boards.length === 0) return premature;
    const moments = at.boards.map((quotes) => boardMomentOf(at, quotes));
    const late = all.flatMap((state) => {
      if (this.#waiting.awaitsLost(state)) return [];
      const waited = this.#waiting.waited(state);
      return undoneWork(state, { moments, repairedMs: at.repairedMs, waited }).map((problem) =>
        this.#found(state.accountId, problem),
      );
    });
    return [...premature, ...late];
  }

  #found(accountId: string, message: string): Finding {
    return { checker: this.name, accountId, message };
  }
}

/** The undone work of an account. Boards may differ for a moment, so only work that all boards require counts. */
function undoneWork(
  state: AccountState,
  {
    moments,
    repairedMs,
    waited,
  }: {
    readonly moments: readonly Moment[];
    readonly repairedMs: number;
    /** True when the account waited for a price at the last repair. */
    readonly waited: boolean;
  },
): readonly string[] {
  if (state.status !== "active") return [];
  const { orders } = state;
  return [
    ...orders.flatMap(
      (order) => problemOnEvery(moments, (moment) => reachedOrder(order, moment)) ?? [],
    ),
    ...(problemOnEvery(moments, (moment) => undoneJudgement(state, moment)) ?? []),
    ...(waited ? [] : (problemOnEvery(moments, (moment) => overdueWork(state, moment)) ?? [])),
    ...(waited
      ? []
      : (problemOnEvery(moments, (moment) => undoneSwitch(state, { moment, repairedMs })) ?? [])),
  ];
}

/**
 * The problem of the last moment when every moment has one; null as soon as one moment has none, and without moments.
 */
function problemOnEvery(
  moments: readonly Moment[],
  problemAt: (moment: Moment) => string | null,
): readonly [string] | null {
  let last: string | null = null;
  for (const moment of moments) {
    last = problemAt(moment);
    if (last === null) return null;
  }
  return last === null ? null : [last];
}

function reachedOrder(order: AccountState["orders"][number], moment: Moment): string | null {
  const quote = liveQuote(order.pair, moment);
  const level = quote === null ? null : reachedLevelOf(order, quote);
  if (quote === null || level === null || isHeldAt(order, quote)) return null;
  const quoteOf = (pair: PairId) => moment.quotes.get(pair);
  if (order.kind !== "bracket" && ordersAwaitRate(order.pair, { ...moment, quoteOf })) return null;
  const { bid, ask } = quote;
  return `${order.kind} ${order.uuid} on ${order.pair} is pending although ${bid}/${ask} reaches ${level}`;
}

/**
 * True for a pending order in the opposite direction of a position that closed at this quote: the order waits for the
 * next quote. @rule D10.exitHeld
 */
function isHeldAt(order: AccountState["orders"][number], { bid, ask, atMs }: Quote): boolean {
  const held = order.kind === "bracket" ? undefined : order.heldAt;
  return held?.bid === bid && held.ask === ask && held.atMs === atMs;
}

function undoneJudgement(state: AccountState, moment: Moment): string | null {
  const open = openPnlOf(state.positions, moment);
  if (open === null || !mayJudge(state.positions, moment)) return null;
  const equity = state.terms.size + state.realized - state.fees + open;
  const breach = liveBreach(state, equity);
  if (breach !== null) {
    return `the account is active with an equity of ${equity}: ${breach.rule} ${breach.usedPct} % used`;
  }
  const isPassed = state.phase === "challenge" && reachesTarget(state, equity);
  return isPassed ? `the account is in its challenge with an equity of ${equity}` : null;
}

/**
 * The first piece of due work that is overdue, as text: a midnight, the end for inactivity or a carry. Null when none
 * is overdue, and while the work waits for the prices of open positions. @rule D13.judges
 */
function overdueWork(state: AccountState, moment: Moment): string | null {
  if (!mayJudge(state.positions, moment, "clock")) return null;
  const dues: readonly (readonly [string, number | null])[] = [
    ["the midnight", state.day.startMs + DAY_MS],
    ["the end for inactivity", idleEndMs(state)],
    ["the carry", carryMs(state, moment)],
  ];
  const late = dues.find(([, dueMs]) => dueMs !== null && dueMs <= moment.now);
  return late === undefined
    ? null
    : `${late[0]} of ${String(late[1])} is not done at ${moment.now}`;
}

/**
 * A switch that has not fired although it is due, or a position that a fired switch has not closed although it trades.
 * Null when there is neither. @rule D9.cancelAllAfter
 */
function undoneSwitch(
  { armedSwitch, closing = [], positions }: AccountState,
  { moment, repairedMs }: { readonly moment: Moment; readonly repairedMs: number },
): string | null {
  // While other due work waits for a price, the node tries again only after longer pauses, so the switch may fire late.
  const isPriced = mayJudge(positions, moment, "clock");
  // A deadline may have passed only an instant ago. A missing action is a problem only when the deadline was before the
  // last repair.
  const isDue = isPriced && armedSwitch !== undefined && armedSwitch.atMs <= repairedMs;
  if (isDue) return `the switch of ${armedSwitch.atMs} has not fired at ${moment.now}`;
  const open = positions.filter(({ uuid }) => closing.includes(uuid));
  const left = open.find(({ pair }) => tradablePairOf(pair, moment) !== null);
  return left === undefined ? null : `the switch has not closed ${left.uuid} on ${left.pair}`;
}

function idleEndMs({ idleSinceMs, phase, terms }: AccountState): number | null {
  if (phase === "proTransition" || idleSinceMs === null) return null;
  return idleSinceMs + terms.inactivityMs;
}

function carryMs(state: AccountState, moment: Moment): number | null {
  const dues = state.positions
    .map(({ pair, openedAtMs: openedMs }) =>
      nextDueMs({ pair, openedMs, chargedToMs: state.carriedToMs }, moment),
    )
    .filter((due) => due !== null);
  return dues.length === 0 ? null : Math.min(...dues);
}

/**
 * The problem of an elimination: it came before its time, or it names a loss limit that was not breached. Equity
 * exactly at a limit is not a breach. `state` is the account's final state.
 */
function unfoundedElimination({ event }: JournalLine, state: AccountState | null): string | null {
  if (event.type !== "accountEliminated" || state === null) return null;
  const { cause, drawdownPct, atMs } = event.elimination;
  if (atMs > event.atMs) return `the account was ended at ${event.atMs} for work due at ${atMs}`;
  if (cause.kind !== "lossLimit") return null;
  const { dailyLossPct, maxLossPct } = phaseTermsOf(state);
  const limitPct = cause.rule === "dailyLoss" ? dailyLossPct : maxLossPct;
  const isBeyond = drawdownPct !== null && drawdownPct > limitPct;
  return isBeyond
    ? null
    : `the account was ended at ${String(drawdownPct)} % of a limit of ${limitPct} %`;
}
