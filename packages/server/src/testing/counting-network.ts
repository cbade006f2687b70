import { randomUUID } from "node:crypto";
import { type AccountId, accountId, type Instruments, type UnixMs, unixMs } from "@propgate/core";
import { systemTimer, type Timer } from "../../../base/src/clock.ts";
import type { Database, Queryable } from "../../../ledger/src/storage/databases/database.ts";
import { createReceiptStore } from "../../../ledger/src/storage/stores/receipt-store.ts";
import type { DecisionTimes } from "../../../ledger/src/trading/execution/decision-times.ts";
import {
  createExecutor,
  type ExecutorOptions,
} from "../../../ledger/src/trading/execution/executor.ts";
import type {
  Executor,
  QuoteBarrier,
  Submission,
  TraderSubmission,
} from "../../../ledger/src/trading/executor-port.ts";
import type { OrderReceipt } from "../../../ledger/src/trading/network/port.ts";
import type { Ownership } from "../../../ledger/src/trading/ownership.ts";
import { createReplayAnswer } from "../../../ledger/src/trading/receipts/replay-answer.ts";
import { createStateCache, type StateCache } from "../../../ledger/src/trading/state-cache.ts";
import { countingDecider, TEST_OWNER, TEST_TERMS } from "./counting-decider.ts";

/** 2026-01-05, a Monday, 12:00 UTC. */
export const TEST_NOON = unixMs(1_767_614_400_000);

/** The midnight that ends the day of `TEST_NOON`. */
export const TEST_MIDNIGHT = unixMs(TEST_NOON + 43_200_000);

/** A market without quotes and pairs, for accounts without positions. */
export const NO_MARKET = { quotes: new Map(), instruments: new Map() } as const;

export interface CountingNetwork {
  readonly executor: Executor;
  readonly cache: StateCache;
  now: UnixMs;
  open(): Promise<AccountId>;
  count(account: AccountId): ReturnType<Executor["submit"]>;
}

/** An executor of the counting network on the given database, with a clock that only the test moves. */
export function createCountingNetwork(
  database: Database,
  given: {
    readonly batchMax?: number;
    readonly onOrder?: () => void;
    readonly ownership?: Ownership;
    readonly barrier?: QuoteBarrier;
    readonly times?: DecisionTimes;
    readonly instruments?: Instruments;
    readonly forwarding?: ExecutorOptions["forwarding"];
    readonly timer?: Timer;
  } = {},
): CountingNetwork {
  const cache = createStateCache(database, { ...countingDecider, onFault() {} });
  const network: CountingNetwork = {
    cache,
    now: TEST_NOON,
    executor: createExecutor({
      database,
      cache,
      decider: countingDecider,
      ownership: given.ownership,
      barrier: given.barrier,
      times: given.times,
      clock: { now: () => network.now },
      quotes: () => new Map(),
      instruments: given.instruments ?? new Map(),
      batchMax: given.batchMax ?? 512,
      timer: given.timer ?? systemTimer,
      forwarding: given.forwarding,
      replayed: createReplayAnswer({
        cache,
        receipts: createReceiptStore(database),
        recall: ({ rest }) => ({ ...NOTHING_CANCELLED, orderUuid: rest }),
      }),
      remember({ account: { version } }) {
        given.onOrder?.();
        return `[1,${JSON.stringify({ version })}]`;
      },
    }),
    async open() {
      const id = accountId(randomUUID());
      await network.executor.submit(openSubmission(id));
      return id;
    },
    count: (account) => network.executor.submit(countSubmission(account)),
  };
  return network;
}

/** The submission that opens an account with this id. */
export function openSubmission(id: AccountId): Submission {
  return {
    accountId: id,
    command: {
      type: "openAccount",
      accountId: id,
      ownerId: TEST_OWNER,
      terms: TEST_TERMS,
      provisioned: true,
    },
    origin: { by: "operator" },
  };
}

/** The submission that adds one to the account's count. */
export function countSubmission(id: AccountId): Submission {
  return { accountId: id, command: { type: "settlePrices" }, origin: { by: "market" } };
}

export const TEST_KEY = "pk_receipts";

const NOTHING_CANCELLED: OrderReceipt = {
  orderUuid: "",
  outcome: "cancelled",
  ended: null,
  note: { kind: "cancelled", count: 0, notFound: [], withoutStop: [] },
  order: null,
  processingMs: 0,
};

/** A submission that adds one to the account's count by an order of a key. Its receipt has the resulting version. */
export function keyedCountSubmission(id: AccountId, nonce: string): TraderSubmission {
  return {
    accountId: id,
    command: { type: "cancelOrders", target: "all", pair: null },
    origin: { by: "key", keyId: TEST_KEY, nonce, admittedAtMs: TEST_NOON },
    receivedAtMs: TEST_NOON,
  };
}

/** Stores the nonce of an order, as admission does for a correctly signed one. */
export async function storeNonce(database: Queryable, nonce: string): Promise<void> {
  await database.query(
    "insert into nonces (key_id, nonce, used_at_ms, is_write) values ($1, $2, $3, true)",
    [TEST_KEY, nonce, TEST_NOON],
  );
}
