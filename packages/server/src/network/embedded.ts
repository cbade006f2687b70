import {
  accountSnapshot,
  type Instruments,
  type Moment,
  positionReadings,
  type Quotes,
  withoutStatistics,
} from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { AccountStore } from "../storage/stores/account-store.ts";
import type { PayoutStore } from "../storage/stores/payout-store.ts";
import type { Executor, VersionedState } from "./executor-port.ts";
import type { ReturnHistory } from "./history/return-history.ts";
import type { TradeHistory } from "./history/trade-history.ts";
import { orderReceipt } from "./order-receipt.ts";
import { payoutsReading } from "./payouts-reading.ts";
import type { ReadAt, Reading, TradingNetwork } from "./port.ts";
import type { StateCache } from "./state-cache.ts";
import { UnknownFate } from "./unknown-fate.ts";

export interface EmbeddedNetworkOptions {
  readonly executor: Executor;
  readonly cache: StateCache;
  readonly trades: TradeHistory;
  readonly returns: ReturnHistory;
  readonly payouts: Pick<PayoutStore, "page">;
  readonly accounts: Pick<AccountStore, "countActive">;
  readonly clock: Clock;
  readonly quotes: () => Quotes;
  readonly instruments: Instruments;
  /** How many active accounts an owner may have. */
  readonly accountsPerOwnerMax: number;
  /** Told why the database could not be read; the client hears only that it was so. */
  readonly onFault: (cause: unknown) => void;
}

/** The trading network in this process, on its own database. @rule S4.endpoints */
export function createEmbeddedNetwork(options: EmbeddedNetworkOptions): TradingNetwork {
  const { executor, trades, clock } = options;
  const withState = readerOf(options);
  return {
    account: (at) => withState(at, (account) => accountReading(options, account)),
    positions: (at) =>
      withState(at, async ({ state }) => here(positionReadings(state, momentOf(options)))),
    pendingOrders: (at) => withState(at, async ({ state }) => here(state.orders)),
    payouts: (at, page) =>
      withState(at, async (account) => {
        const { payouts: store } = options;
        const read = payoutsReading({ store, account, page, moment: momentOf(options) });
        const reading = await orNull(options, read);
        return reading === null ? { ok: false, error: "unreachable" } : here(reading);
      }),
    async trades(at) {
      const read = await orNull(options, trades.read(at));
      return read === null
        ? { ok: false, error: "upstream", message: "the trade history cannot be read" }
        : here(read);
    },
    async placeOrder(accountId, command, origin) {
      const startedMs = clock.now();
      try {
        const execution = await executor.submit({ accountId, command, origin });
        if (!execution.ok) return execution;
        const moment = momentOf(options);
        const processingMs = moment.now - startedMs;
        return here(orderReceipt({ command, execution, moment, processingMs }));
      } catch (cause) {
        if (!(cause instanceof UnknownFate)) throw cause;
        options.onFault(cause);
        return { ok: false, error: "unknownFate" };
      }
    },
  };
}

type WithState = <Value>(
  at: ReadAt,
  use: (account: VersionedState) => Promise<Reading<Value>>,
) => Promise<Reading<Value>>;

/** A database that cannot be read is a network that cannot be reached. */
function readerOf({ cache, onFault }: EmbeddedNetworkOptions): WithState {
  return async (at, use) => {
    let account: VersionedState | null;
    try {
      account = await cache.read(at);
    } catch (cause) {
      onFault(cause);
      return { ok: false, error: "unreachable" };
    }
    if (account === null) throw new Error("broken invariant: an account that the gates have found");
    return use(account);
  };
}

/** @rule D4.stale */
async function accountReading(
  options: EmbeddedNetworkOptions,
  { state, version }: VersionedState,
): ReturnType<TradingNetwork["account"]> {
  const moment = momentOf(options);
  const snapshot = accountSnapshot(state, moment);
  // What is open cannot be valued yet: better no figures than invented ones.
  if (!snapshot.ok) return { ok: false, error: "unreachable" };
  const { accounts, returns, accountsPerOwnerMax: most } = options;
  // Secondary figures: what cannot be read of them makes the reading stale and nothing worse.
  const [active, dailyReturns] = await Promise.all([
    orNull(options, accounts.countActive(state.ownerId)),
    orNull(options, returns.read(state)),
  ]);
  return here({
    snapshot: dailyReturns === null ? withoutStatistics(snapshot.value) : snapshot.value,
    dailyReturns: dailyReturns ?? [],
    ownerAccounts: { active: active ?? 1, most },
    stale: active === null || dailyReturns === null,
    generatedAtMs: moment.now,
    version,
  });
}

/** Null when it could not be read, which is told. */
async function orNull<Value>(
  { onFault }: EmbeddedNetworkOptions,
  reading: Promise<Value>,
): Promise<Value | null> {
  try {
    return await reading;
  } catch (cause) {
    onFault(cause);
    return null;
  }
}

function momentOf({ clock, quotes, instruments }: EmbeddedNetworkOptions): Moment {
  return { now: clock.now(), quotes: quotes(), instruments };
}

function here<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}
