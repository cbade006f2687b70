import { microUsd } from "@propgate/core";
import { isRecord, type Literal, type LiteralRecord } from "../python-literal.ts";
import { readOrders, readUuids } from "./compact-orders.ts";
import { readPositions } from "./compact-positions.ts";
import {
  ACCOUNT_SIZE_DATA_KEYS,
  CHALLENGE_PERIOD_KEYS,
  CHECKPOINT_KEYS,
  DRAWDOWN_KEYS,
  ELIMINATION_KEYS,
  LEDGER_KEYS,
  LIMIT_ORDERS_KEYS,
  POSITIONS_KEYS,
  PRO_STATS_KEYS,
  STATISTICS_KEYS,
  SUBACCOUNT_INFO_KEYS,
} from "./dashboard-keys.ts";
import type {
  ChallengePeriod,
  DashboardPart,
  LinkedCheckpoint,
  LinkedDailyReturn,
  SubaccountInfo,
} from "./linked-readings.ts";
import {
  type DecodeProblem,
  noteProblem,
  readList,
  readRecord,
  readUnit,
} from "./network-units.ts";
import { readSection, type SectionFields, type SectionKeys } from "./section.ts";

export type DecodedDashboard =
  | { readonly ok: true; readonly part: DashboardPart }
  /** `why` names the first key that is wrong. */
  | { readonly ok: false; readonly why: string };

/**
 * Decodes an answer of the dashboard v2. The whole answer fails when its status is not `success`, when a known key has
 * a wrong form, when a required key is missing, or when the answer is about another subaccount. Unknown keys are
 * ignored, and other missing values are null.
 */
export function decodeDashboard(
  body: Literal,
  expected: { readonly hotkey: string; readonly subaccountId: number },
): DecodedDashboard {
  const problem: DecodeProblem = { why: null };
  const envelope = readRecord(body, "the answer", problem);
  const status = envelope?.status ?? "success";
  if (status !== "success") noteProblem(problem, "status", "success");
  const sections = readRecord(envelope?.dashboard, "dashboard", problem);
  if (sections === null) noteProblem(problem, "dashboard", "sent");
  const part = sections === null ? null : readSections(sections, expected, problem);
  if (part === null || problem.why !== null) {
    return { ok: false, why: problem.why ?? "the answer is not a dashboard" };
  }
  return { ok: true, part };
}

function readSections(
  sections: LiteralRecord,
  expected: { readonly hotkey: string; readonly subaccountId: number },
  problem: DecodeProblem,
): DashboardPart | null {
  const read = <const Keys extends SectionKeys>(
    name: string,
    keys: Keys,
  ): SectionFields<Keys> | null => {
    const section = readRecord(sections[name], name, problem);
    return section === null ? null : readSection(section, keys, name, problem);
  };
  const info = infoOf(read("subaccount_info", SUBACCOUNT_INFO_KEYS), expected, problem);
  if (info === null) return null;
  return {
    info,
    challenge: challengeOf(read("challenge_period", CHALLENGE_PERIOD_KEYS)),
    drawdown: read("drawdown", DRAWDOWN_KEYS),
    pro: read("pro_stats", PRO_STATS_KEYS),
    elimination: read("elimination", ELIMINATION_KEYS),
    ledger: read("account_size_data", ACCOUNT_SIZE_DATA_KEYS),
    positions: positionsOf(sections, read("positions", POSITIONS_KEYS), problem),
    orders: ordersOf(sections, read("limit_orders", LIMIT_ORDERS_KEYS), problem),
    checkpoints: checkpointsOf(sections, read("ledger", LEDGER_KEYS), problem),
    dailyReturns: dailyReturnsOf(sections, read("statistics", STATISTICS_KEYS), problem),
  };
}

function infoOf(
  info: SectionFields<typeof SUBACCOUNT_INFO_KEYS> | null,
  expected: { readonly hotkey: string; readonly subaccountId: number },
  problem: DecodeProblem,
): SubaccountInfo | null {
  if (info === null) return noteProblem(problem, "subaccount_info", "sent");
  const { hotkey, assetClass, size, status } = info;
  if (hotkey !== null && hotkey !== expected.hotkey) {
    noteProblem(problem, "subaccount_info.synthetic_hotkey", "the subaccount that was asked for");
  }
  // The number may be 0, so it is compared with null.
  if (info.subaccountId !== null && info.subaccountId !== expected.subaccountId) {
    noteProblem(problem, "subaccount_info.subaccount_id", "the subaccount that was asked for");
  }
  // A problem has been reported for each of these fields that is null.
  if (hotkey === null || assetClass === null || size === null || status === null) return null;
  return { ...info, hotkey, assetClass, size, status, subaccountId: expected.subaccountId };
}

function challengeOf(
  challenge: SectionFields<typeof CHALLENGE_PERIOD_KEYS> | null,
): ChallengePeriod | null {
  if (challenge === null || challenge.bucket === null) return null;
  return { ...challenge, bucket: challenge.bucket };
}

type WithCursor = { readonly cursorMs: number | null } | null;

function positionsOf(
  sections: LiteralRecord,
  head: WithCursor,
  problem: DecodeProblem,
): DashboardPart["positions"] {
  if (head === null) return null;
  const map = nestedValue(sections, "positions", "positions");
  return { ...head, items: readPositions(map, "positions.positions", problem) ?? [] };
}

function ordersOf(
  sections: LiteralRecord,
  head: WithCursor,
  problem: DecodeProblem,
): DashboardPart["orders"] {
  if (head === null) return null;
  const open = nestedValue(sections, "limit_orders", "open_orders");
  const path = "limit_orders.closed_orders";
  const closed = readList(nestedValue(sections, "limit_orders", "closed_orders"), path, problem);
  return {
    ...head,
    open: readOrders(open, "pending", "limit_orders.open_orders", problem) ?? [],
    closed: readUuids(closed, path, problem),
  };
}

function checkpointsOf(
  sections: LiteralRecord,
  head: WithCursor,
  problem: DecodeProblem,
): DashboardPart["checkpoints"] {
  if (head === null) return null;
  const path = "ledger.checkpoints";
  const map = readRecord(nestedValue(sections, "ledger", "checkpoints"), path, problem) ?? {};
  const items: LinkedCheckpoint[] = [];
  for (const [time, value] of Object.entries(map)) {
    const place = `${path}.${time}`;
    const atMs = readUnit("milliseconds", Number(time), place, problem);
    const record = readRecord(value, place, problem);
    if (atMs === null || record === null) continue;
    const { realizedPnl, unrealizedPnl } = readSection(record, CHECKPOINT_KEYS, place, problem);
    items.push({
      atMs,
      realizedPnl: realizedPnl ?? microUsd(0),
      unrealizedPnl: unrealizedPnl ?? microUsd(0),
    });
  }
  return { ...head, items };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function dailyReturnsOf(
  sections: LiteralRecord,
  head: WithCursor,
  problem: DecodeProblem,
): DashboardPart["dailyReturns"] {
  if (head === null) return null;
  const path = "statistics.daily_returns";
  const map = readRecord(nestedValue(sections, "statistics", "daily_returns"), path, problem) ?? {};
  const items: LinkedDailyReturn[] = [];
  for (const [date, value] of Object.entries(map)) {
    const place = `${path}.${date}`;
    const percent = readUnit("percent", value, place, problem);
    if (!(DATE.test(date) && Number.isFinite(Date.parse(date))))
      noteProblem(problem, place, "a date");
    if (percent !== null) items.push({ date, percent });
  }
  return { ...head, items };
}

/** The value of a key in a section that has been read as an object. */
function nestedValue(sections: LiteralRecord, section: string, key: string): Literal | undefined {
  const record = sections[section];
  return record !== undefined && isRecord(record) ? record[key] : undefined;
}
