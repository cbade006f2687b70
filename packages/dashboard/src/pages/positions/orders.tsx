import type {
  AccountStateView,
  Linked,
  MarketView,
  PendingOrder,
  PositionItem,
} from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { signedPercentText } from "../../format/numbers.ts";
import { agoText, timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { LiveNotice } from "../../live/live-notice.tsx";
import { hasEnded } from "../../live/near-limit.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Figure } from "../../parts/figure.tsx";
import { EmptyList } from "../../parts/notice.tsx";
import { NoMoreOrders, OrderExample } from "../../parts/order-example.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Price } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import {
  entryOutlook,
  hasStop,
  levelOutlook,
  markOf,
  shareOf,
  stopPriceOf,
} from "./leg-outlook.ts";
import { LegSize, SentSize, stopFieldOf, TrailingDistance } from "./legs.tsx";
import { MarketBadges, SideBadge } from "./market-badges.tsx";

/** Pending orders: entry orders, and the legs of open positions. */
export function OrdersPage() {
  const { state } = useAccountLive();
  return (
    <div className="flex flex-col gap-3">
      <h1 className="sr-only">Orders</h1>
      <LiveNotice />
      {state === null ? (
        <output className="block min-h-[40dvh]" aria-label="Loading the orders" />
      ) : (
        <Orders state={state} />
      )}
    </div>
  );
}

function Orders({ state }: { readonly state: AccountStateView }) {
  const entries = state.orders.filter(({ positionUuid }) => positionUuid === null);
  const legs = state.orders.filter(({ positionUuid }) => positionUuid !== null);
  const isOver = hasEnded(state);
  return (
    <>
      <Panel title={`Entries, ${entries.length}`} flush>
        <Table
          label="Pending entry orders"
          columns={entryColumns(state)}
          rows={entries}
          keyOf={({ orderUuid }) => orderUuid}
          empty={<NoEntry isOver={isOver} />}
        />
      </Panel>
      <Panel title={`Legs, ${legs.length}`} flush>
        <Table
          label="Stops and targets of open positions"
          columns={legColumns(state)}
          rows={legs}
          keyOf={({ orderUuid }) => orderUuid}
          empty={<NoLeg isOver={isOver} />}
        />
      </Panel>
    </>
  );
}

interface EmptyProps {
  readonly isOver: boolean;
}

function NoEntry({ isOver }: EmptyProps) {
  return (
    <EmptyList title="No pending orders">
      {isOver ? (
        <NoMoreOrders />
      ) : (
        <>
          <p className="mb-3">
            A LIMIT or STOP_LIMIT order is pending until its price is reached or it is cancelled:
          </p>
          <OrderExample
            label="Request that places a limit order"
            trade={{
              execution_type: "LIMIT",
              trade_pair: "ETHUSD",
              order_type: "LONG",
              value: 1000,
              limit_price: 2900,
            }}
          />
        </>
      )}
    </EmptyList>
  );
}

function NoLeg({ isOver }: EmptyProps) {
  return (
    <EmptyList title="No stops or targets">
      {isOver ? (
        <NoMoreOrders />
      ) : (
        <>
          <p className="mb-3">
            An order can bring its stops and targets; BRACKET adds them to an open position:
          </p>
          <OrderExample
            label="Request that attaches a stop"
            trade={{
              execution_type: "BRACKET",
              trade_pair: "BTCUSD",
              bracket_orders: [{ trailing_percent: 0.02 }],
            }}
          />
        </>
      )}
    </EmptyList>
  );
}

function orderMarket(state: AccountStateView, order: PendingOrder): MarketView | undefined {
  return state.markets.find(({ pair }) => pair === order.tradePair);
}

function entryColumns(state: AccountStateView): readonly Column<PendingOrder>[] {
  return [
    pairColumn(state),
    { head: "Type", phone: "title", cell: (order) => <EntryType order={order} /> },
    { head: "Size", right: true, phone: "figure", cell: (order) => <SentSize order={order} /> },
    priceColumn("Limit", "limitPrice", "figure"),
    {
      head: "Stop",
      right: true,
      cell: ({ tradePair, stopPrice, stopCondition }) => (
        <>
          {stopCondition !== null && (
            <span className="text-muted">
              {stopCondition === "GTE" ? "at or above " : "at or below "}
            </span>
          )}
          <Price pair={tradePair} value={stopPrice} field="orders[].stopPrice" isSent />
        </>
      ),
    },
    {
      head: "Distance",
      right: true,
      phone: "figure",
      cell: (order) => {
        const outlook = entryOutlook(order, orderMarket(state, order));
        return (
          <TriggerDistance
            pair={order.tradePair}
            percent={outlook?.awayPct ?? null}
            from={outlook?.market ?? null}
          />
        );
      },
    },
    priceColumn("Stop loss", "stopLoss"),
    priceColumn("Take profit", "takeProfit"),
    { head: "Trailing", right: true, cell: (order) => <TrailingDistance leg={order} /> },
    ...lastColumns(),
  ];
}

function EntryType({ order }: { readonly order: PendingOrder }) {
  const legs = order.bracketOrders?.length ?? 0;
  return (
    <>
      {order.executionType}
      {order.reduceOnly && <span className="text-muted"> reduce-only</span>}
      {legs > 1 && <span className="text-muted"> {legs} legs</span>}
    </>
  );
}

function legColumns(state: AccountStateView): readonly Column<PendingOrder>[] {
  const positionOf = ({ positionUuid }: PendingOrder): PositionItem<Linked> | undefined =>
    state.positions.find((position) => position.positionUuid === positionUuid);
  return [
    pairColumn(state),
    {
      head: "Stop loss",
      right: true,
      phone: "figure",
      cell: (leg) => {
        const position = positionOf(leg);
        const legs = state.orders.filter(({ positionUuid }) => positionUuid === leg.positionUuid);
        const price = position === undefined ? leg.stopLoss : stopPriceOf(leg, position, legs);
        return (
          <LegPrice
            price={hasStop(leg) ? price : null}
            field={stopFieldOf(leg)}
            {...{ leg, state, position }}
          />
        );
      },
    },
    {
      head: "Take profit",
      right: true,
      phone: "figure",
      cell: (leg) => (
        <LegPrice
          price={leg.takeProfit}
          field="orders[].takeProfit"
          {...{ leg, state, position: positionOf(leg) }}
        />
      ),
    },
    {
      head: "Trailing",
      right: true,
      phone: "figure",
      cell: (leg) => <TrailingDistance leg={leg} />,
    },
    {
      head: "Closes",
      right: true,
      cell: (leg) => {
        const position = positionOf(leg);
        return <LegSize leg={leg} share={position === undefined ? null : shareOf(leg, position)} />;
      },
    },
    ...lastColumns(),
  ];
}

function LegPrice({
  price,
  field,
  leg,
  state,
  position,
}: {
  readonly price: number | null;
  readonly field: string;
  readonly leg: PendingOrder;
  readonly state: AccountStateView;
  readonly position: PositionItem<Linked> | undefined;
}) {
  const mark = markOf(leg.orderType, orderMarket(state, leg));
  const outlook =
    price === null || position === undefined
      ? null
      : levelOutlook({ position, price, mark, share: shareOf(leg, position) });
  return (
    <>
      <Price pair={leg.tradePair} value={price} field={field} isSent />
      {outlook !== null && (
        <span className="block text-xs text-muted">
          <TriggerDistance pair={leg.tradePair} percent={outlook.distancePct} from={mark} />
        </span>
      )}
    </>
  );
}

/** The distance from the market's price to the trigger in percent, and the market's price. */
function TriggerDistance({
  pair,
  percent,
  from,
}: {
  readonly pair: string;
  readonly percent: number | null;
  readonly from: number | null;
}) {
  return (
    <>
      <Figure value={percent} as={signedPercentText} />
      {from !== null && (
        <span className="text-muted">
          {" "}
          from <Price pair={pair} value={from} />
        </span>
      )}
    </>
  );
}

function pairColumn(state: AccountStateView): Column<PendingOrder> {
  return {
    head: "Pair",
    phone: "title",
    cell: (order) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{order.tradePairDisplay}</span>
        <SideBadge side={order.orderType} />
        <MarketBadges market={orderMarket(state, order)} />
      </span>
    ),
  };
}

function priceColumn(
  head: string,
  field: "limitPrice" | "stopLoss" | "takeProfit",
  phone?: "figure",
): Column<PendingOrder> {
  return {
    head,
    right: true,
    ...(phone === undefined ? {} : { phone }),
    cell: (order) => (
      <Price pair={order.tradePair} value={order[field]} field={`orders[].${field}`} isSent />
    ),
  };
}

function lastColumns(): readonly Column<PendingOrder>[] {
  return [
    { head: "Placed", right: true, cell: ({ processedMs }) => <Age atMs={processedMs} /> },
    {
      head: "Order id",
      right: true,
      phone: "title",
      cell: ({ orderUuid }) => (
        <span className="inline-flex items-center gap-2">
          <span className="font-mono text-xs text-muted" title={orderUuid}>
            {orderUuid.slice(0, 8)}
          </span>
          <CopyButton text={orderUuid} small />
        </span>
      ),
    },
  ];
}

function Age({ atMs }: { readonly atMs: number }) {
  return <span title={`${timeText(atMs)} UTC`}>{agoText(atMs, useNow())}</span>;
}
