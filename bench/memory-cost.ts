/**
 * Measures the memory of an open account: its state as loaded from the database, its entry in the cache, and its
 * entries in the market loop. It runs in a process of its own, whose heap has no other accounts: `memory-cost.ts
 * ACCOUNTS POSITIONS` prints a `MemoryCost` as one line of JSON.
 */
import { hash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type AccountState, accountId, evolve, type PairId, pairId, unixMs } from "@propgate/core";
import type { Database } from "../packages/ledger/src/storage/databases/database.ts";
import type { AccountRow } from "../packages/ledger/src/storage/stores/account-rows.ts";
import type { Execution, Executor } from "../packages/ledger/src/trading/executor-port.ts";
import { createStateCache, type StateCache } from "../packages/ledger/src/trading/state-cache.ts";
import { createMarketLoop, type MarketLoop } from "../packages/market/src/prices/market-loop.ts";
import {
  HELD_MARKET,
  HELD_PAIRS,
  HOLDER_KINDS,
  madeHolder,
  startingQuotes,
} from "../packages/server/src/testing/made-holdings.ts";
import { madeQuoteFlow } from "../packages/server/src/testing/made-quote-flow.ts";

export interface MemoryCost {
  readonly accounts: number;
  readonly positions: number;
  readonly bytesAnAccount: number;
  /** The memory of the account's positions alone, as parsed JSON, in bytes. */
  readonly bytesOfPositions: number;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const [accounts = 0, positions = 0] = process.argv.slice(2).map(Number);

async function bytesPerAccount(work: () => void | Promise<void>): Promise<number> {
  const before = bytesInUse();
  await work();
  return Math.round((bytesInUse() - before) / accounts);
}

function bytesInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function createService() {
  const cache: StateCache = createStateCache(createStandInDatabase(), { evolve, onFault });
  const { board, intake } = madeQuoteFlow(HELD_MARKET);
  const loop: MarketLoop = createMarketLoop({
    executor: idleExecutor,
    board,
    intake,
    source: "bench",
    instruments: HELD_MARKET,
    clock: { now: () => unixMs(0) },
    onFault,
  });
  return {
    /**
     * Loads all accounts as the service does: those with positions at its start, those without by their first request.
     */
    async load() {
      await loop.publish([...startingQuotes().values()]);
      if (positions > 0) {
        const loaded = await cache.loadExposed();
        if (loaded.length !== accounts) throw new Error(`${loaded.length} accounts were loaded`);
        loop.watchAccounts(loaded);
        return;
      }
      for (let index = 0; index < accounts; index += 1) {
        const account = await cache.read({ accountId: idOf(index), version: 1 });
        if (account !== null) loop.watchAccounts([account]);
      }
    },
  };
}

function onFault(cause: unknown): never {
  throw cause;
}

/** An executor that never answers, so no quote is settled. */
const idleExecutor: Executor = {
  submit: () => new Promise<Execution>(() => {}),
  idle: async () => undefined,
  onCommit: () => undefined,
  onUnknownFate: () => undefined,
};

/** A database that answers the reads of the state cache with the rows of `accounts` accounts. */
function createStandInDatabase(): Database {
  const rowOf = (index: number): AccountRow => ({
    account_id: idOf(index),
    version: "1",
    head_hash: hash("sha256", String(index), "buffer"),
    state_version: "1",
    state: JSON.stringify(stateOf(index)),
    later: null,
    quote_epoch: "0",
    quote_number: "0",
    lost_epoch: "0",
    last_at_ms: "0",
  });
  return {
    kind: "postgres",
    async query<Row>(_text: string, parameters: readonly unknown[] = []) {
      const [first] = parameters;
      const indexes = Array.isArray(first)
        ? first.map((id) => indexOf(String(id)))
        : indexesAfter(parameters);
      return indexes.filter((index) => index < accounts).map((index) => rowOf(index) as Row);
    },
    transaction: () => Promise.reject(new Error("a database to read from")),
    connections: () => ({ inUse: 0, idle: 1, waiting: 0, waits: 0 }),
    close: async () => undefined,
  };
}

/** The indexes of the accounts on a page of exposed accounts, from the parameters of its statement. */
function indexesAfter([_from, after, _to, limit]: readonly unknown[]): readonly number[] {
  const first = indexOf(String(after)) + 1;
  return Array.from({ length: Number(limit) }, (_, step) => first + step);
}

function stateOf(index: number): AccountState {
  const first = index % HELD_PAIRS.length;
  const pairs = [...HELD_PAIRS.slice(first), ...HELD_PAIRS.slice(0, first)].slice(0, positions);
  const state = madeHolder({
    accountId: idOf(index),
    kind: HOLDER_KINDS[index % HOLDER_KINDS.length] ?? "static",
    holdings: pairs.map((pair) => ({ pair, isLong: true, weight: 0.8 / positions })),
  });
  return { ...state, lastOrderAtMs: LAST_ORDERS };
}

/** The times of the last orders of an account that has traded every pair. */
const LAST_ORDERS: AccountState["lastOrderAtMs"] = Object.fromEntries(
  HELD_PAIRS.map((pair): [PairId, ReturnType<typeof unixMs>] => [
    pairId(pair),
    unixMs(1_767_625_200_000),
  ]),
);

function idOf(index: number) {
  return accountId(`00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`);
}

function indexOf(id: string): number {
  return Number(id.slice(-12)) - 1;
}

const kept: unknown[] = [];
const bytesOfPositions = await bytesPerAccount(() => {
  const parsed = Array.from({ length: accounts }, (_, index) =>
    JSON.parse(JSON.stringify(stateOf(index).positions)),
  );
  kept.push(parsed);
});
kept.length = 0;
const service = createService();
const bytesAnAccount = await bytesPerAccount(() => service.load());
const cost: MemoryCost = { accounts, positions, bytesAnAccount, bytesOfPositions };
process.stdout.write(`${JSON.stringify(cost)}\n`);
