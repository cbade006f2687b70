import type { Json, NetworkState, Order, Subaccount } from "../network/state.ts";
import {
  balanceOf,
  buyingPowerOf,
  equityOf,
  isPro,
  markPositions,
  openPositions,
  unrealizedOf,
} from "../network/valuation.ts";
import { compactOrders, compactPosition } from "./compact.ts";

/** The exclusive cursors of the dashboard's query; null reads everything. */
export interface DashboardCursors {
  readonly positions: number | null;
  readonly limitOrders: number | null;
  readonly checkpoints: number | null;
  readonly dailyReturns: number | null;
}

type Section = Readonly<Record<string, Json>>;

/**
 * The dashboard of a subaccount. Each ended order is in one answer only: the next reader does not get it. A section
 * without data is absent.
 */
export function readDashboard(
  state: NetworkState,
  account: Subaccount,
  cursors: DashboardCursors,
): Readonly<Record<string, Section>> {
  markPositions(state, account);
  const sections: Readonly<Record<string, Section | null>> = {
    subaccount_info: infoSection(account),
    challenge_period: {
      bucket: account.bucket,
      start_time_ms: account.createdAtMs,
      bucket_start_time: account.bucketStartMs,
    },
    drawdown: drawdownSection(account),
    pro_stats: account.proStats,
    elimination: eliminationSection(account),
    account_size_data: sizeData(account),
    positions: positionsSection(account, cursors.positions),
    limit_orders: limitOrdersSection(account, cursors.limitOrders),
    ledger: ledgerSection(account, cursors.checkpoints),
    statistics: statisticsSection(account, cursors.dailyReturns),
  };
  const present: Record<string, Section> = {};
  for (const [name, section] of Object.entries(sections)) {
    const altered = section === null ? null : overriddenSection(account, name, section);
    if (altered !== null) present[name] = altered;
  }
  return present;
}

/**
 * Replaces fields of a section by the account's overrides, and removes the fields that are marked as absent. Null for a
 * section that is itself marked as absent.
 */
function overriddenSection(account: Subaccount, name: string, section: Section): Section | null {
  if (account.absent.includes(name)) return null;
  const own = Object.entries(account.overrides)
    .filter(([path]) => path.startsWith(`${name}.`))
    .map(([path, value]) => [path.slice(name.length + 1), value] as const);
  const all = Object.entries({ ...section, ...Object.fromEntries(own) });
  return Object.fromEntries(all.filter(([key]) => !account.absent.includes(`${name}.${key}`)));
}

function infoSection(account: Subaccount): Section {
  return {
    synthetic_hotkey: account.hotkey,
    subaccount_uuid: account.uuid,
    subaccount_id: account.number,
    asset_class: account.assetClass,
    account_size: account.accountSize,
    standard_account_size: account.standardAccountSize,
    pro_account_size: account.proAccountSize,
    drawdown_criteria: account.criteria,
    account_type: isPro(account) ? "pro" : "standard",
    status: account.status,
    created_at_ms: account.createdAtMs,
    eliminated_at_ms: account.elimination?.atMs ?? null,
    hl_address: account.hlAddress,
    payout_address: account.payoutAddress,
    leverage_tier: account.leverageTier,
  };
}

/**
 * The drawdown section. Each equity is a ratio of the account size, each `_pct` is a percent and each `_threshold` a
 * fraction.
 */
function drawdownSection(account: Subaccount): Section {
  const own = account.drawdown;
  const equity = equityOf(account) / account.accountSize;
  const eod = (1 - own.lastEodEquity / own.eodHwm) * 100;
  return {
    current_equity: equity,
    current_balance: balanceOf(account) / account.accountSize,
    daily_open_equity: own.dailyOpenEquity,
    eod_hwm: own.eodHwm,
    last_eod_equity: own.lastEodEquity,
    current_return: equity,
    last_eod_checked_ms: own.lastEodCheckedMs,
    intraday_drawdown_pct:
      own.dailyOpenEquity === null ? null : (1 - equity / own.dailyOpenEquity) * 100,
    eod_drawdown_pct: eod,
    trailing_drawdown_pct: eod,
    static_drawdown_pct: (1 - equity) * 100,
    static_eod_drawdown_pct: (1 - own.lastEodEquity) * 100,
    intraday_drawdown_threshold: own.intradayThreshold,
    eod_drawdown_threshold: own.eodThreshold,
    static_drawdown_threshold: own.staticThreshold,
    static_eod_drawdown_threshold: own.staticThreshold,
    drawdown_criteria: account.criteria,
  };
}

function eliminationSection({ elimination: ended }: Subaccount): Section | null {
  if (ended === null) return null;
  return { elimination_initiated_time_ms: ended.atMs, reason: ended.reason, dd: ended.dd };
}

function sizeData(account: Subaccount): Section {
  return {
    account_size: account.accountSize,
    total_realized_pnl: account.totalRealized,
    capital_used: account.capitalUsed,
    balance: balanceOf(account),
    total_borrowed_amount: account.borrowed,
    total_fees_paid: account.totalFees,
    buying_power: buyingPowerOf(account),
    max_return: account.maxReturn,
    unrealized_pnl: unrealizedOf(account),
    equity: equityOf(account),
    is_pro: isPro(account),
  };
}

function positionsSection(account: Subaccount, after: number | null): Section | null {
  const changed = account.positions.filter(({ changedMs }) => changedMs > (after ?? -1));
  if (changed.length === 0) return null;
  return {
    positions: Object.fromEntries(
      changed.map((position) => [position.uuid, compactPosition(account, position)]),
    ),
    all_time_returns: equityOf(account) / account.accountSize,
    total_leverage: openPositions(account).reduce(
      (sum, { netLeverage }) => sum + Math.abs(netLeverage),
      0,
    ),
    positions_time_ms: Math.max(...changed.map(({ changedMs }) => changedMs)),
  };
}

/** The resting orders after the cursor, and the ended ones that no reader has received. */
function limitOrdersSection(account: Subaccount, after: number | null): Section | null {
  const open = account.resting.filter(({ changedMs }) => changedMs > (after ?? -1));
  const drained = account.undrained;
  if (open.length === 0 && drained.length === 0) return null;
  account.undrained = [];
  account.lastDrained = drained;
  return {
    open_orders: compactOrders(open),
    closed_orders: drained,
    limit_orders_time_ms: latestChange([...open, ...ordersOf(account, drained)], after),
  };
}

function ordersOf(account: Subaccount, ids: readonly string[]): readonly Order[] {
  return account.ended.filter(({ uuid }) => ids.includes(uuid));
}

function latestChange(orders: readonly Order[], after: number | null): number {
  return Math.max(after ?? 0, ...orders.map(({ changedMs }) => changedMs));
}

function ledgerSection(account: Subaccount, after: number | null): Section | null {
  const newer = account.checkpoints.filter(({ atMs }) => atMs > (after ?? -1));
  if (newer.length === 0) return null;
  return {
    checkpoints: Object.fromEntries(newer.map(({ atMs, values }) => [atMs, values])),
    portfolio_return: equityOf(account) / account.accountSize,
    checkpoints_time_ms: Math.max(...newer.map(({ atMs }) => atMs)),
  };
}

function statisticsSection(account: Subaccount, after: number | null): Section | null {
  const newer = account.dailyReturns.filter(({ date }) => dayStart(date) > (after ?? -1));
  if (newer.length === 0) return null;
  return {
    daily_returns: Object.fromEntries(newer.map(({ date, percent }) => [date, percent])),
    daily_returns_time_ms: Math.max(...newer.map(({ date }) => dayStart(date))),
  };
}

function dayStart(date: string): number {
  return Date.parse(`${date}T00:00:00.000Z`);
}
