import type { Clock } from "@propgate/base";
import type { AccountChoice, AccountStateView, EquityWindow, TradeFills } from "@propgate/contract";
import { type UnixMs, unixMs } from "@propgate/core";
import type { AccountSummary, EquityStore, ReadAt } from "@propgate/ledger";
import {
  EQUITY_WINDOW_MS,
  type EquityHistoryParts,
  equityHistory,
  equityPoints,
  evaluationWord,
  type LinkedAccountReadings,
  type NotOffered,
} from "@propgate/wire";
import type { AccountPresenter } from "./account-presenter.ts";
import { linkedEquityFigures } from "./desk/equity-points.ts";
import type { LinkedRecords } from "./desk/linked-records.ts";
import type { PairBook } from "./desk/pair-book.ts";
import type { LinkedReading, ReadingDesk } from "./reading-desk.ts";
import { linkedTitle } from "./views/account.ts";
import { linkedAccountRow } from "./views/account-item.ts";
import { linkedElimination } from "./views/loss-limits.ts";
import { linkedPendingOrdersView } from "./views/pending-orders.ts";
import { isEliminated, phaseOf } from "./views/phase.ts";
import { linkedPositionsView } from "./views/positions.ts";
import { linkedFillsView } from "./views/trade-fills.ts";
import { closedPosition } from "./views/trades.ts";

export interface VantaReadingsOptions {
  readonly desk: Pick<ReadingDesk, "read" | "stored" | "peek">;
  readonly presenter: AccountPresenter;
  readonly pairs: PairBook;
  readonly records: LinkedRecords;
  readonly equity: Pick<EquityStore, "between" | "lastAt">;
  readonly clock: Clock;
}

const NO_FILLS = {
  notOffered: "The validator did not send the fills of this position",
} as const;
const NO_CYCLES = {
  notOffered: "The validator settles the weeks of this account and sends only their payouts",
} as const;
const NO_DAYS = {
  notOffered: "The validator sends the objectives of today, not those of earlier days",
} as const;
const NO_DECISIONS = {
  notOffered:
    "The journal of this account has observations of its validator, not decisions that can be made again",
} as const;

/** Reads linked accounts for the pages, the operator's calls and the live streams. */
export function createVantaReadings(options: VantaReadingsOptions): LinkedAccountReadings {
  const { desk } = options;
  const stateOf = async (reading: LinkedReading | null): Promise<AccountStateView | null> =>
    reading === null ? null : stateView(options, reading);
  return {
    // Lists show stored readings of any age, so that they do not wait for the network.
    accountChoice: async (entry) => choiceOf(entry, await desk.stored(entry)),
    accountRow: async (entry) =>
      linkedAccountRow(entry, await desk.stored(entry), await options.pairs.read()),
    state: async (at) => stateOf(await desk.read(at)),
    atOneMoment: () => async (at) => {
      const reading = await desk.peek(at);
      if (reading === null) return null;
      const { account, readAtMs, isStale } = reading;
      const figures = JSON.stringify([account.revision, readAtMs, isStale]);
      return { figures, view: () => stateOf(reading) };
    },
    async equity(at, window) {
      const parts = await readEquity(options, at, window);
      return parts === null ? null : equityHistory(parts);
    },
    async equityPoints(at) {
      const parts = await readEquity(options, at, "all");
      return parts === null ? null : equityPoints(parts);
    },
    fills: (at, positionUuid) => readFills(options, at, positionUuid),
    cycles: async () => NO_CYCLES,
    objectiveDays: async () => NO_DAYS,
    noDecisionsReason: NO_DECISIONS,
  };
}

async function stateView(
  { presenter, pairs }: VantaReadingsOptions,
  reading: LinkedReading,
): Promise<AccountStateView> {
  const [account, listed] = await Promise.all([presenter.account(reading), pairs.read()]);
  const positions = linkedPositionsView(reading, listed);
  return {
    network: "vanta",
    version: reading.account.revision,
    generatedAtMs: account.meta.generatedAtMs,
    isClosed: reading.account.status === "closed",
    account,
    positions,
    orders: linkedPendingOrdersView(reading.readings, listed),
    // The validator sends no quotes.
    markets: [],
    trades: account.performance.totalTrades - positions.length,
  };
}

function choiceOf(
  { accountId, status, createdAtMs }: AccountSummary,
  reading: LinkedReading | null,
): AccountChoice {
  const isClosed = status === "closed";
  const about = { accountId, network: "vanta", isClosed, openedAtMs: createdAtMs } as const;
  if (reading === null) {
    const word = evaluationWord(status, "challenge");
    return { ...about, title: "Linked account", status: word, isEliminated: false };
  }
  const { readings } = reading;
  return {
    ...about,
    title: linkedTitle(readings),
    status: evaluationWord(status, phaseOf(readings) ?? "challenge"),
    isEliminated: status === "eliminated",
  };
}

/**
 * The fills of a closed trade or an open position. A position that has just closed can be in both lists; its closed
 * record is newer and is used.
 */
async function readFills(
  { desk, pairs, records }: VantaReadingsOptions,
  at: ReadAt,
  positionUuid: string,
): Promise<TradeFills | NotOffered | "unreadable" | null> {
  const [reading, listed] = await Promise.all([desk.read(at), pairs.read()]);
  if (reading === null) return "unreadable";
  const closed = await records.read(reading.account, "closedPosition");
  const record = closed.find(({ id }) => id === positionUuid);
  const position =
    record === undefined
      ? Object.values(reading.readings.positions).find(({ uuid }) => uuid === positionUuid)
      : closedPosition(record);
  return position === undefined ? null : (linkedFillsView(position, listed) ?? NO_FILLS);
}

/**
 * The recorded equity over a window that ends at the present time or at the account's end; null while the account
 * cannot be read.
 */
async function readEquity(
  { desk, equity, clock }: VantaReadingsOptions,
  at: ReadAt,
  window: EquityWindow,
): Promise<EquityHistoryParts | null> {
  const reading = await desk.read(at);
  if (reading === null) return null;
  const { account, readings } = reading;
  const endedAtMs = endOf(reading);
  const endMs = endedAtMs ?? clock.now();
  const length = EQUITY_WINDOW_MS[window];
  const { linkedAtMs } = account;
  const startMs = length === null ? linkedAtMs : unixMs(Math.max(linkedAtMs, endMs - length));
  const range = { after: startMs, upTo: endMs };
  const [before, points] = await Promise.all([
    equity.lastAt(at.accountId, startMs),
    equity.between(at.accountId, range),
  ]);
  const figures = linkedEquityFigures(readings, endMs);
  const present = figures === null || endedAtMs === null ? figures : { ...figures, floors: [] };
  return { window, startMs, endedAtMs, before, points, dayEnds: [], present };
}

/**
 * The time of the elimination, or the time of the link when the elimination was earlier. For an account that was closed
 * without an elimination, the time of its last reading. Null for an account that has not ended, and when the network
 * did not send the time of its elimination.
 */
function endOf({ account, readings, readAtMs }: LinkedReading): UnixMs | null {
  const eliminatedAtMs = isEliminated(readings)
    ? (linkedElimination(readings)?.atMs ?? null)
    : null;
  const atMs = eliminatedAtMs ?? (account.status === "closed" ? readAtMs : null);
  return atMs === null ? null : unixMs(Math.max(atMs, account.linkedAtMs));
}
