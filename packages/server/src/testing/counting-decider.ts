import {
  type AccountState,
  type Command,
  type Event,
  leverage,
  type Moment,
  microUsd,
  evolve as networkEvolve,
  ok,
  orderUuid,
  ownerId,
  percent,
  price,
  ratio,
  refuse,
  type Terms,
  unixMs,
} from "@propgate/core";
import type { Decider } from "../../../ledger/src/trading/execution/decide-command.ts";

const DAY_MS = 86_400_000;

/**
 * A minimal network for tests of the executor. `openAccount` opens an account. `settlePrices` and `cancelOrders` each
 * record one event, which adds one to `realized`. `passTime` ends one day at a time, `eliminateAccount` throws, and
 * every other command is refused.
 */
export const countingDecider: Decider = { decide, evolve };

function decide(state: AccountState | null, command: Command, { now }: Moment) {
  if (command.type === "openAccount") {
    if (state !== null) return refuse({ code: "accountExists" } as const);
    const { accountId, ownerId, terms, provisioned } = command;
    const type = "accountOpened" as const;
    return ok<readonly Event[]>([{ type, atMs: now, accountId, ownerId, terms, provisioned }]);
  }
  if (command.type === "settlePrices" || command.type === "cancelOrders") {
    const type = "trailMoved" as const;
    const counted = { type, atMs: now, orderUuid: orderUuid("one-more"), bestPrice: price(1) };
    return ok<readonly Event[]>([counted]);
  }
  if (command.type === "passTime") return ok(state === null ? [] : endedDay(state, now));
  if (command.type === "eliminateAccount") throw new Error(`a fault: ${command.reason}`);
  return refuse({ code: "alreadyProvisioned" } as const);
}

function endedDay(state: AccountState, now: Moment["now"]): readonly Event[] {
  const midnightMs = unixMs(state.day.startMs + DAY_MS);
  if (now < midnightMs) return [];
  const equity = state.day.startEquity;
  return [{ type: "dayEnded", atMs: now, midnightMs, equity, balance: equity }];
}

function evolve(state: AccountState | null, event: Event): AccountState {
  if (event.type === "accountOpened" || event.type === "dayEnded") {
    return networkEvolve(state, event);
  }
  if (state === null) throw new Error("broken invariant: an account before its events");
  return { ...state, realized: microUsd(state.realized + 1) };
}

export const TEST_OWNER = ownerId("owner-1");

/** The terms of a classic account of 100,000 USD with a static loss limit and the leverage of tier 1. */
export const TEST_TERMS: Terms = {
  programId: "classic",
  programVersion: 1,
  variant: "classic",
  assetClass: "allMarkets",
  size: microUsd(100_000_000_000),
  criteria: "static",
  tier: "tier1",
  challenge: { profitTargetPct: percent(10), dailyLossPct: percent(5), maxLossPct: percent(5) },
  funded: { profitTargetPct: null, dailyLossPct: percent(5), maxLossPct: percent(5) },
  classCaps: {
    crypto: leverage(1.5),
    forex: leverage(10),
    indices: leverage(3),
    commodities: leverage(1.5),
    equities: leverage(1),
  },
  portfolioCap: leverage(15),
  groupCaps: {},
  profitSplit: ratio(1),
  inactivityMs: 60 * DAY_MS,
  cooldownMs: 0,
  mostRestingOrders: 100,
};
