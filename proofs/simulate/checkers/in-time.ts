/** After one evaluation all is done: nothing that prices or time ask for is still to come. */
import { type AccountState, type Moment, type Quote, unixMs } from "@propgate/core";
import { nextDueMs } from "../../../packages/core/src/testing/lives/carry-model.ts";
import {
  limitsOf,
  liveBreach,
  reachesTarget,
} from "../../../packages/core/src/testing/lives/judgement-model.ts";
import { openPnlOf } from "../../../packages/core/src/testing/lives/valuation-model.ts";
import type { Checker, Finding, Look } from "../history.ts";
import type { JournalFeed, Line } from "./journal-feed.ts";
import { liveQuote, reachedBy } from "./reach.ts";

const DAY_MS = 86_400_000;

/** @rule D5.triggers D7.breach D7.clockWork */
export class InTime implements Checker {
  readonly name = "in time";
  readonly #feed: JournalFeed;

  constructor(feed: JournalFeed) {
    this.#feed = feed;
  }

  async look(at: Look): Promise<readonly Finding[]> {
    const { moved, accounts } = await this.#feed.news(at);
    const tooSoon = moved.flatMap(({ lines }) =>
      lines.flatMap((line) => {
        const problem = needlessEnd(line, accounts.get(line.accountId)?.state ?? null);
        return problem === null ? [] : [this.#found(line.accountId, problem)];
      }),
    );
    if (!at.calm || at.boards.length === 0) return tooSoon;
    const moments = at.boards.map((quotes) => momentOf(at, quotes));
    const late = [...accounts.values()].flatMap(({ state }) =>
      undone(state, moments).map((problem) => this.#found(state.accountId, problem)),
    );
    return [...tooSoon, ...late];
  }

  #found(accountId: string, says: string): Finding {
    return { checker: this.name, accountId, says };
  }
}

function momentOf({ nowMs, instruments }: Look, quotes: Moment["quotes"]): Moment {
  return { now: unixMs(nowMs), quotes, instruments };
}

/** What is still to do. Boards may differ for a moment: only what all of them ask for is late. */
function undone(state: AccountState, moments: readonly Moment[]): readonly string[] {
  if (state.status !== "active") return [];
  const { orders } = state;
  return [
    ...orders.flatMap((order) => onEvery(moments, (moment) => reached(order, moment)) ?? []),
    ...(onEvery(moments, (moment) => judgement(state, moment)) ?? []),
    ...(onEvery(moments, (moment) => overdue(state, moment)) ?? []),
  ];
}

/** What is seen at every moment; null as soon as one does not show it. */
function onEvery(
  moments: readonly Moment[],
  see: (moment: Moment) => string | null,
): readonly [string] | null {
  let last: string | null = null;
  for (const moment of moments) {
    last = see(moment);
    if (last === null) return null;
  }
  return last === null ? null : [last];
}

function reached(order: AccountState["orders"][number], moment: Moment): string | null {
  const quote = liveQuote(order.pair, moment);
  const level = quote === null ? null : reachedBy(order, quote);
  if (quote === null || level === null || isHeldAt(order, quote)) return null;
  const { bid, ask } = quote;
  return `${order.kind} ${order.uuid} on ${order.pair} rests although ${bid}/${ask} reaches ${level}`;
}

/** An exit whose position this quote has closed waits for the next one. @rule D10.oneQuote */
function isHeldAt(order: AccountState["orders"][number], { bid, ask, atMs }: Quote): boolean {
  const held = order.kind === "bracket" ? undefined : order.heldAt;
  return held?.bid === bid && held.ask === ask && held.atMs === atMs;
}

function judgement(state: AccountState, moment: Moment): string | null {
  const open = openPnlOf(state.positions, moment);
  if (open === null) return null;
  const equity = state.terms.size + state.realized - state.fees + open;
  const breach = liveBreach(state, equity);
  if (breach !== null) {
    return `it is active with an equity of ${equity}: ${breach.rule} ${breach.usedPct} % used`;
  }
  const isPassed = state.phase === "challenge" && reachesTarget(state, equity);
  return isPassed ? `it is in its challenge with an equity of ${equity}` : null;
}

/** Work of an open position without a price has to wait. */
function overdue(state: AccountState, moment: Moment): string | null {
  if (openPnlOf(state.positions, moment) === null) return null;
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

function idleEndMs({ lastActiveAtMs, terms }: AccountState): number | null {
  return lastActiveAtMs === null ? null : lastActiveAtMs + terms.inactivityMs;
}

function carryMs(state: AccountState, moment: Moment): number | null {
  const dues = state.positions
    .map(({ pair, openedAtMs }) =>
      nextDueMs(pair, { after: Math.max(state.carriedToMs, openedAtMs), moment }),
    )
    .filter((due) => due !== null);
  return dues.length === 0 ? null : Math.min(...dues);
}

/** Exactly at a limit survives. `state`: after the end, with the terms that it had. */
function needlessEnd({ event }: Line, state: AccountState | null): string | null {
  if (event.type !== "accountEliminated" || state === null) return null;
  const { cause, drawdownPct, atMs } = event.elimination;
  if (atMs > event.atMs) return `it was ended at ${event.atMs} for what falls due at ${atMs}`;
  if (cause.kind !== "lossLimit") return null;
  const { dailyLossPct, maxLossPct } = limitsOf(state);
  const limitPct = cause.rule === "dailyLoss" ? dailyLossPct : maxLossPct;
  const isBeyond = drawdownPct !== null && drawdownPct > limitPct;
  return isBeyond ? null : `it was ended at ${String(drawdownPct)} % of a limit of ${limitPct} %`;
}
