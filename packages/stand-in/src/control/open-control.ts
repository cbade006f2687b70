import type { FaultPlan, FaultRecord } from "../http/faults.ts";
import type { HeldCalls } from "../http/held-calls.ts";
import { nextChangeTime, nextUuid } from "../network/changes.ts";
import { chargeFee } from "../network/fill.ts";
import { instrumentOf } from "../network/instruments.ts";
import type { NetworkState, Subaccount } from "../network/state.ts";
import { equityOf, markPositions } from "../network/valuation.ts";
import { eliminateSubaccount } from "../orders/eliminate-subaccount.ts";
import { fillByItself, runTriggers } from "../orders/triggers.ts";
import type { NewSubaccount, StandInControl, SubaccountChange } from "./control.ts";
import { acceptedOrders, orderCallsByContent } from "./order-lists.ts";

/** The parts of a running stand-in that its controls change. */
export interface RunningStandIn {
  readonly state: NetworkState;
  readonly plan: FaultPlan;
  readonly held: HeldCalls;
  readonly faults: readonly FaultRecord[];
  readonly calls: Readonly<Record<string, number>>;
  readonly keys: Readonly<Record<"validator" | "gateway", Map<string, number>>>;
  now(): number;
  advance(ms: number): void;
  /** Saves the state, where there is a file for it. */
  save(): void;
}

/** The controls of a running stand-in; each call that changes the state saves it. */
export function openControl(running: RunningStandIn): StandInControl {
  return { ...accountControls(running), ...marketControls(running), ...recordControls(running) };
}

function accountControls(running: RunningStandIn) {
  const { state } = running;
  const account = (hotkey: string): Subaccount => accountOf(state, hotkey);
  return {
    async addSubaccount(given) {
      const subaccount = newSubaccount(state, given, running.now());
      state.subaccounts[subaccount.hotkey] = subaccount;
      running.save();
      return { hotkey: subaccount.hotkey, number: subaccount.number };
    },
    async changeSubaccount(hotkey, change) {
      applyChange(account(hotkey), change, running.now());
      running.save();
    },
    async eliminate(hotkey, elimination) {
      eliminateSubaccount(state, account(hotkey), elimination, running.now());
      running.save();
    },
    async fillByItself(hotkey, named) {
      fillByItself(state, account(hotkey), { named, nowMs: running.now() });
      running.save();
    },
    async endDay(hotkey) {
      endDay(state, account(hotkey), running.now());
      running.save();
    },
    async addCheckpoint(hotkey, atMs, values) {
      account(hotkey).checkpoints.push({ atMs, values });
      running.save();
    },
    async addDailyReturn(hotkey, date, percent) {
      account(hotkey).dailyReturns.push({ date, percent });
      running.save();
    },
    async chargeFee(hotkey, uuid, type, amount) {
      const position = account(hotkey).positions.find((one) => one.uuid === uuid);
      if (position === undefined) throw new Error(`stand-in: no position ${uuid}`);
      const atMs = nextChangeTime(state, running.now());
      chargeFee(account(hotkey), position, { atMs, type, amount });
      running.save();
    },
  } satisfies Partial<StandInControl>;
}

function marketControls(running: RunningStandIn) {
  const { state } = running;
  return {
    async setPrices(prices) {
      for (const [pair, price] of Object.entries(prices)) {
        if (instrumentOf(pair) === undefined) throw new Error(`stand-in: no pair ${pair}`);
        if (price === null) delete state.prices[pair];
        else state.prices[pair] = { bid: price.bid, ask: price.ask };
      }
      for (const pair of Object.keys(prices)) runTriggers(state, pair, running.now());
      running.save();
    },
    async closeMarket(pair, isClosed) {
      state.closedMarkets = state.closedMarkets.filter((one) => one !== pair);
      if (isClosed) state.closedMarkets.push(pair);
      else runTriggers(state, pair, running.now());
      running.save();
    },
    async setCooldown(ms) {
      state.cooldownMs = ms;
      running.save();
    },
    async advance(ms) {
      running.advance(ms);
    },
    async setSourceName(name) {
      state.sourceName = name;
      running.save();
    },
    async setKeyTier(key, tier) {
      for (const keys of [running.keys.validator, running.keys.gateway]) {
        if (tier === null) keys.delete(key);
        else keys.set(key, tier);
      }
    },
  } satisfies Partial<StandInControl>;
}

function recordControls(running: RunningStandIn) {
  const { state, plan } = running;
  return {
    async addFault(rule) {
      plan.add(rule);
    },
    async clearFaults() {
      plan.clear();
    },
    async release(hotkey) {
      running.held.release(hotkey);
    },
    faults: async () => [...running.faults],
    callCounts: async () => ({ ...running.calls }),
    submissions: async () => [...state.submissions],
    acceptedOrders: async () => acceptedOrders(state),
    contents: async () => orderCallsByContent(state),
    subaccount: async (hotkey) => structuredClone(state.subaccounts[hotkey] ?? null),
  } satisfies Partial<StandInControl>;
}

function accountOf(state: NetworkState, hotkey: string): Subaccount {
  const account = state.subaccounts[hotkey];
  if (account === undefined) throw new Error(`stand-in: no subaccount ${hotkey}`);
  return account;
}

function newSubaccount(state: NetworkState, given: NewSubaccount, nowMs: number): Subaccount {
  const number = Object.keys(state.subaccounts).length;
  const accountSize = given.accountSize ?? 100_000;
  const createdAtMs = given.createdAtMs ?? nowMs;
  return {
    hotkey: `${state.entity}_${number}`,
    number,
    uuid: nextUuid(state),
    assetClass: given.assetClass ?? "crypto",
    accountSize,
    standardAccountSize: given.standardAccountSize ?? accountSize,
    proAccountSize: given.proAccountSize ?? null,
    criteria: given.criteria ?? "trailing",
    status: given.status ?? "active",
    bucket: given.bucket ?? "SUBACCOUNT_CHALLENGE",
    leverageTier: given.leverageTier ?? 1,
    createdAtMs,
    bucketStartMs: createdAtMs,
    payoutAddress: given.payoutAddress ?? null,
    hlAddress: given.hlAddress ?? null,
    totalRealized: 0,
    totalFees: 0,
    dividends: 0,
    capitalUsed: 0,
    capitalByClass: {},
    borrowed: 0,
    maxReturn: 1,
    drawdown: {
      dailyOpenEquity: 1,
      eodHwm: 1,
      lastEodEquity: 1,
      lastEodCheckedMs: createdAtMs,
      intradayThreshold: 0.05,
      eodThreshold:
        (given.bucket ?? "SUBACCOUNT_CHALLENGE") === "SUBACCOUNT_CHALLENGE" ? 0.05 : 0.08,
      staticThreshold: 0.05,
    },
    elimination: null,
    proStats: given.proStats ?? null,
    positions: [],
    resting: [],
    ended: [],
    undrained: [],
    lastDrained: [],
    checkpoints: [],
    dailyReturns: [],
    lastOrderMs: {},
    payout: null,
    overrides: {},
    absent: [],
  };
}

function applyChange(account: Subaccount, change: SubaccountChange, nowMs: number): void {
  const { drawdown, overrides, absent, ...plain } = change;
  if (change.bucket !== undefined && change.bucket !== account.bucket) {
    account.bucketStartMs = nowMs;
  }
  Object.assign(account, plain);
  Object.assign(account.drawdown, drawdown);
  if (overrides !== undefined) account.overrides = { ...overrides };
  if (absent !== undefined) account.absent = [...absent];
}

/** Takes the snapshot at 00:00 UTC: the daily open, the end-of-day value and its high-water mark. */
function endDay(state: NetworkState, account: Subaccount, nowMs: number): void {
  markPositions(state, account);
  const equity = equityOf(account) / account.accountSize;
  const { drawdown } = account;
  drawdown.dailyOpenEquity = equity;
  drawdown.lastEodEquity = equity;
  drawdown.eodHwm = Math.max(1, drawdown.eodHwm, equity);
  drawdown.lastEodCheckedMs = nowMs;
}
