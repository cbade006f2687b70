import type { AccountStateView, MarketView } from "@propgate/contract";
import {
  type AccountState,
  isFresh,
  isOpen,
  type Moment,
  type PairId,
  positionReadings,
} from "@propgate/core";
import { accountView } from "../../http/views/account.ts";
import { pendingOrderView } from "../../http/views/pending-order.ts";
import { positionView } from "../../http/views/position.ts";
import type { Present, PresentAccounts } from "../../network/present-account.ts";

/** Everything of one state at one moment, by the views of the API. */
export async function accountStateView(
  accounts: Pick<PresentAccounts, "reading">,
  present: Present,
): Promise<AccountStateView> {
  const { account, moment } = present;
  const { state, version } = account;
  const { instruments } = moment;
  const reading = await accounts.reading(present);
  return {
    version,
    generatedAtMs: moment.now,
    account: reading === null ? null : accountView(reading),
    positions: positionReadings(state, moment).map((one) => positionView(one, instruments)),
    orders: state.orders.map((one) => pendingOrderView(one, instruments)),
    markets: marketViews(state, moment),
    trades: state.record.trades,
  };
}

/** Of the pairs with a position, then of those with an order alone. */
export function marketViews(
  { positions, orders }: AccountState,
  moment: Moment,
): readonly MarketView[] {
  const pairs = new Set([...positions, ...orders].map(({ pair }) => pair));
  return [...pairs].map((pair) => marketView(pair, moment));
}

/** A pair that left the catalogue trades nowhere; without a quote there is none to trade on. */
function marketView(pair: PairId, { quotes, instruments, now }: Moment): MarketView {
  const instrument = instruments.get(pair);
  const quote = quotes.get(pair) ?? null;
  return {
    pair,
    quote: quote === null ? null : { bid: quote.bid, ask: quote.ask, atMs: quote.atMs },
    isStale: quote === null || instrument === undefined || !isFresh(quote, instrument, now),
    isOpen: instrument !== undefined && isOpen(instrument.session, now),
  };
}
