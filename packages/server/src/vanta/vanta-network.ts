import type { FlattenAnswer, WireNetwork } from "../api/network/wire-network.ts";
import type { Reading } from "../trading/network/port.ts";
import type { AccountPresenter } from "./account-presenter.ts";
import type { LinkedRecords } from "./desk/linked-records.ts";
import type { PairBook } from "./desk/pair-book.ts";
import type { PayoutDesk } from "./desk/payout-desk.ts";
import { flattenView } from "./flatten-view.ts";
import type { OrderDesk } from "./orders/order-desk.ts";
import type { LinkedReading, ReadingDesk } from "./reading-desk.ts";
import { linkedInstrumentViews } from "./views/instruments.ts";
import { linkedPendingOrdersView } from "./views/pending-orders.ts";
import { linkedPositionsView } from "./views/positions.ts";
import { linkedTradesView } from "./views/trades.ts";

export interface VantaNetworkOptions {
  readonly desk: Pick<ReadingDesk, "read">;
  readonly presenter: AccountPresenter;
  readonly pairs: PairBook;
  readonly records: LinkedRecords;
  readonly payouts: PayoutDesk;
  readonly orders: Pick<OrderDesk, "place" | "flatten">;
}

const UNREACHABLE = { ok: false, error: "unreachable" } as const;
const NO_TRADES = {
  ok: false,
  error: "upstream",
  message: "the trade history cannot be read from the network",
} as const;

/** Linked accounts in the words of the wire. @rule S4.endpoints */
export function createVantaNetwork(options: VantaNetworkOptions): WireNetwork {
  const { desk, presenter, pairs, records, payouts, orders } = options;
  const viewed = async <View>(
    reading: Promise<LinkedReading | null>,
    view: (reading: LinkedReading) => Promise<View> | View,
  ): Promise<Reading<View>> => {
    const found = await reading;
    return found === null ? UNREACHABLE : { ok: true, value: await view(found) };
  };
  return {
    account: (at) => viewed(desk.read(at), (reading) => presenter.account(reading)),
    async positions(at) {
      const [reading, names] = await Promise.all([desk.read(at), pairs.read()]);
      if (reading === null) return UNREACHABLE;
      return { ok: true, value: linkedPositionsView(reading, names) };
    },
    async pendingOrders(at) {
      const [reading, names] = await Promise.all([desk.read(at), pairs.read()]);
      if (reading === null) return UNREACHABLE;
      return { ok: true, value: linkedPendingOrdersView(reading.readings, names) };
    },
    async trades(at) {
      const [reading, names] = await Promise.all([desk.read(at), pairs.read()]);
      if (reading === null) return NO_TRADES;
      const closed = await records.read(reading.account, "closedPosition");
      return { ok: true, value: linkedTradesView(closed, names) };
    },
    payouts: (at, page) => payouts.page(at, page),
    async instruments(at) {
      const [reading, listed] = await Promise.all([desk.read(at), pairs.read()]);
      if (reading === null || listed === null) return UNREACHABLE;
      return { ok: true, value: linkedInstrumentViews(reading.readings, listed) };
    },
    placeOrder: (accountId, sent, { keyId, nonce, trace }) =>
      orders.place(accountId, sent, { keyId, nonce, trace }),
    async flatten(accountId): Promise<FlattenAnswer> {
      const flattened = await orders.flatten(accountId);
      return flattened.ok ? { ok: true, result: flattenView(flattened.result) } : flattened;
    },
  };
}
