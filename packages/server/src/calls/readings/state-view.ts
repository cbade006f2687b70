import type { AccountStateView, MarketView } from "@propgate/contract";
import {
  type AccountState,
  isFresh,
  isOpen,
  type Moment,
  momentOfHoldings,
  type PairId,
  positionReadings,
} from "@propgate/core";
import type { PresentAccount, PresentAccounts } from "@propgate/ledger";
import { accountView, pendingOrderView, positionView } from "@propgate/wire";

/**
 * The whole state of an account at one moment, for the owner's dashboard. The views of the signed API render it, so
 * both show the same values. @rule S1.dashboard decides
 */
export async function accountStateView(
  accounts: Pick<PresentAccounts, "reading">,
  present: PresentAccount,
): Promise<AccountStateView> {
  const { account } = present;
  const { state, version } = account;
  const moment = momentOfHoldings(state, present.moment);
  const { instruments } = moment;
  const reading = await accounts.reading(present);
  return {
    network: "embedded",
    version,
    generatedAtMs: moment.now,
    isClosed: state.status === "closed",
    account: reading === null ? null : accountView(reading),
    positions: positionReadings(state, moment).map((one) => positionView(one, instruments)),
    orders: state.orders.map((one) => pendingOrderView(one, instruments)),
    markets: marketViews(state, moment),
    trades: state.record.trades,
  };
}

/** The markets of pairs with a position, then of pairs with only an order. */
export function marketViews(
  { positions, orders }: AccountState,
  moment: Moment,
): readonly MarketView[] {
  const pairs = new Set([...positions, ...orders].map(({ pair }) => pair));
  return [...pairs].map((pair) => marketView(pair, moment));
}

/** The market of a pair. A pair that has left the catalogue is closed and stale; a pair without a quote is stale. */
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
