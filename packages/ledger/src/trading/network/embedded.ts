import type { Clock } from "@propgate/base";
import {
  type AccountState,
  assert,
  type CorporateActions,
  type FundingRates,
  type Instruments,
  type Moment,
  momentOfHoldings,
  ok,
  positionReadings,
  previewOrder,
  type QuoteMap,
} from "@propgate/core";
import type { PayoutStore } from "../../storage/stores/payout-store.ts";
import type { TradeStore } from "../../storage/stores/trade-store.ts";
import type { Executor, VersionedState } from "../executor-port.ts";
import { NotOwner } from "../ownership.ts";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import type { StateCache } from "../state-cache.ts";
import { NotWritten } from "./not-written.ts";
import { readPayouts } from "./payouts-reading.ts";
import type { Placement, PromptReading, ReadAt, Reading, TradingNetwork } from "./port.ts";
import { type AccountReadingOptions, readAccountFigures, readOrNull } from "./present-account.ts";
import type { ShownStops } from "./shown-stops.ts";
import { UnknownFate } from "./unknown-fate.ts";

export interface EmbeddedNetworkOptions extends AccountReadingOptions {
  readonly executor: Executor;
  readonly cache: StateCache;
  readonly trades: TradeStore;
  readonly payouts: Pick<PayoutStore, "page">;
  readonly clock: Clock;
  readonly quotes: () => QuoteMap;
  readonly instruments: Instruments;
  /** The corporate actions that decisions and readings use, by pair. */
  readonly actions: () => CorporateActions;
  readonly funding: () => FundingRates;
  readonly stops: Pick<ShownStops, "of">;
}

/** The trading network in this process, on its own database. @rule S4.endpoints */
export function createEmbeddedNetwork(options: EmbeddedNetworkOptions): TradingNetwork {
  const { executor, trades, clock } = options;
  const withState = createReader(options, (account) => account);
  const withStops = createReader(options, options.stops.of);
  return {
    account: async (at) =>
      withState(at, async (account) => {
        const reading = await readAccountFigures(options, {
          account,
          moment: presentMoment(options),
        });
        return reading === null ? { ok: false, error: "unreachable" } : ok(reading);
      }),
    positions: (at) =>
      withStops(at, ({ state }) => {
        const readings = positionReadings(state, momentOf(options, state));
        // As in the reading of the account, wrong figures are worse than none. @rule D4.stale D13.stalePosition
        const isValued = readings.every(({ mark }) => mark !== null);
        return isValued ? ok(readings) : { ok: false, error: "unreachable" };
      }),
    // The orders of the state are the unfilled entries and the legs of open positions. @rule S2.3 decides
    pendingOrders: (at) => withStops(at, ({ state }) => ok(state.orders)),
    async payouts(at, page) {
      const account = await withState(at, (one) => ok(one));
      const { payouts: store } = options;
      // The records need no state. When it cannot be read, only the estimate is missing. @rule S3.accrualStatus
      const present = account.ok
        ? { account: account.value, moment: momentOf(options, account.value.state) }
        : null;
      const reading = await readOrNull(options, readPayouts({ store, at, page, present }));
      if (reading === null) return { ok: false, error: "unreachable" };
      return account.ok ? { ...account, value: reading } : ok(reading);
    },
    async trades({ accountId }, { olderThan, ...page }) {
      try {
        const named = typeof olderThan === "object" ? olderThan : null;
        const closed = named === null ? null : await trades.closingLineOf(accountId, named.tradeId);
        if (named !== null && closed === null) return ok(null);
        const before = typeof olderThan === "number" ? olderThan : closed;
        return ok(await trades.page(accountId, { ...page, olderThan: before }));
      } catch (cause) {
        options.onFault(cause);
        return { ok: false, error: "upstream", message: "the trade history cannot be read" };
      }
    },
    market: (at) =>
      withState(at, ({ state }) =>
        ok({ state, moment: momentOf(options, state), funding: options.funding() }),
      ),
    async preview(at, command) {
      const seen = await withState(at, ({ state }) => ok(state));
      if (!seen.ok) return seen;
      const previewed = previewOrder(seen.value, command, presentMoment(options));
      if (!previewed.ok) return { ok: false, error: "refused", refusal: previewed.refusal };
      return previewed.value === null ? { ok: false, error: "unreachable" } : ok(previewed.value);
    },
    async carryOut(accountId, command, origin) {
      try {
        const receivedAtMs = clock.now();
        const execution = await executor.submit({ accountId, command, origin, receivedAtMs });
        if (!execution.ok) return execution;
        const { account, receipt } = execution;
        assert(receipt !== null, "an order with its receipt");
        return { ok: true, receipt, shown: account };
      } catch (cause) {
        return failedPlacement(cause, options.onFault);
      }
    },
  };
}

/** The answer to an order that was not carried out, or whose fate is unknown. Any other cause is thrown. */
function failedPlacement(cause: unknown, onFault: EmbeddedNetworkOptions["onFault"]): Placement {
  if (cause instanceof NotCarriedOut) return { ok: false, error: "notCarriedOut" };
  if (cause instanceof NotOwner) return { ok: false, error: "ownerChanging" };
  if (cause instanceof NotWritten) {
    if (cause.cause !== null) onFault(cause.cause);
    return { ok: false, error: "networkDown" };
  }
  if (!(cause instanceof UnknownFate)) throw cause;
  onFault(cause);
  return { ok: false, error: "unknownFate" };
}

type WithState = <Value>(
  at: ReadAt,
  use: (account: VersionedState) => PromptReading<Value>,
) => PromptReading<Value>;

/**
 * Makes a reader of accounts. An unreadable database is reported as an unreachable network. `shownOf` returns the
 * account that the reading shows.
 */
function createReader(
  { cache, onFault }: EmbeddedNetworkOptions,
  shownOf: ShownStops["of"],
): WithState {
  const show = <Value>(
    account: VersionedState,
    use: (account: VersionedState) => PromptReading<Value>,
  ): PromptReading<Value> => {
    const shown = shownOf(account);
    return shown instanceof Promise
      ? shown.then((one) => withShownVersion(one, use(one)))
      : withShownVersion(shown, use(shown));
  };
  const whenLoaded = async <Value>(
    loading: Promise<VersionedState | null>,
    use: (account: VersionedState) => PromptReading<Value>,
  ): Promise<Reading<Value>> => {
    let account: VersionedState | null;
    try {
      account = await loading;
    } catch (cause) {
      onFault(cause);
      return { ok: false, error: "unreachable" };
    }
    if (account === null) throw new Error("broken invariant: an account that the gates have found");
    return show(account, use);
  };
  return (at, use) => {
    const account = cache.read(at);
    return account instanceof Promise ? whenLoaded(account, use) : show(account, use);
  };
}

/** Adds to the reading the version of the account that it shows. */
function withShownVersion<Value>(
  shown: VersionedState,
  reading: PromptReading<Value>,
): PromptReading<Value> {
  const withVersion = (done: Reading<Value>): Reading<Value> =>
    done.ok ? { ...done, shown } : done;
  return reading instanceof Promise ? reading.then(withVersion) : withVersion(reading);
}

/** The present moment, with its quotes in the scale of the account's holdings. */
function momentOf(options: EmbeddedNetworkOptions, state: AccountState): Moment {
  return momentOfHoldings(state, presentMoment(options));
}

function presentMoment(options: EmbeddedNetworkOptions): Moment {
  const { clock, quotes, instruments, actions, funding } = options;
  return {
    now: clock.now(),
    quotes: quotes(),
    instruments,
    actions: actions(),
    funding: funding(),
  };
}
