import { wireJson } from "@propgate/base";
import type { Linked, TradeItem } from "@propgate/contract";
import type { ReadAt, Reading } from "@propgate/ledger";
import type { FlattenAnswer, WireNetwork } from "@propgate/wire";
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
const TRADES_UNREADABLE = {
  ok: false,
  error: "upstream",
  message: "the trade history cannot be read from the network",
} as const;

/** The linked accounts, with answers in the API's form. @rule S4.endpoints */
export function createVantaNetwork(options: VantaNetworkOptions): WireNetwork {
  const { desk, presenter, pairs, records, payouts, orders } = options;
  const viewed = async <View>(
    reading: Promise<LinkedReading | null>,
    view: (reading: LinkedReading) => Promise<View> | View,
  ): Promise<Reading<View>> => {
    const found = await reading;
    return found === null ? UNREACHABLE : shownReading(found, await view(found));
  };
  const tradesOf = async (at: ReadAt): Promise<readonly TradeItem<Linked>[] | null> => {
    const [reading, names] = await Promise.all([desk.read(at), pairs.read()]);
    if (reading === null) return null;
    return linkedTradesView(await records.read(reading.account, "closedPosition"), names);
  };
  return {
    account: (at) => viewed(desk.read(at), (reading) => presenter.account(reading)),
    async positions(at) {
      const [reading, names] = await Promise.all([desk.read(at), pairs.read()]);
      if (reading === null) return UNREACHABLE;
      return shownReading(reading, linkedPositionsView(reading, names));
    },
    async pendingOrders(at) {
      const [reading, names] = await Promise.all([desk.read(at), pairs.read()]);
      if (reading === null) return UNREACHABLE;
      return shownReading(reading, linkedPendingOrdersView(reading.readings, names));
    },
    async trades(at) {
      const trades = await tradesOf(at);
      return trades === null ? TRADES_UNREADABLE : { ok: true, value: tradePieces(trades) };
    },
    async tradesPage(at, { after, limit }) {
      const trades = await tradesOf(at);
      if (trades === null) return TRADES_UNREADABLE;
      const place = after === null ? -1 : trades.findIndex(({ id }) => id === after);
      if (after !== null && place < 0) return { ok: true, value: null };
      const older = trades.slice(place + 1);
      return { ok: true, value: { items: older.slice(0, limit), hasMore: older.length > limit } };
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

/** An answer from a reading, with the line of the journal up to which it shows the account. */
function shownReading<View>({ account }: LinkedReading, value: View): Reading<View> {
  const { version, headHash } = account;
  return { ok: true, value, shown: { version, headHash } };
}

/** The JSON of a list of trades in pieces, in the form that `WireNetwork.trades` requires. */
async function* tradePieces(trades: readonly TradeItem<Linked>[]): AsyncGenerator<Uint8Array> {
  if (trades.length > 0) yield Buffer.from(wireJson(trades).slice(1, -1));
}
