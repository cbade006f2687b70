import type { AccountStateView, Linked, MarketView, PositionItem } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/session.ts";
import { useNow } from "../../clock.tsx";
import {
  fixedText,
  moneyText,
  plainText,
  signedMoneyText,
  signedPercentText,
} from "../../format/numbers.ts";
import { agoText, timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { LiveNotice } from "../../live/live-notice.tsx";
import { hasEnded } from "../../live/near-limit.ts";
import { Disclosure, useOpenRows } from "../../parts/disclosure.tsx";
import { Figure, GainFigure, toneOf } from "../../parts/figure.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { NoMoreOrders, OrderExample } from "../../parts/order-example.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Price } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { FlattenButton } from "./flatten.tsx";
import { hasStop, markOf } from "./leg-outlook.ts";
import { MarketBadges, SideBadge } from "./market-badges.tsx";
import { PositionDetail } from "./position-detail.tsx";

/** Up to this many positions, the legs are open at first. */
const OPEN_LEGS_MAX = 3;

/** The open positions, each with its stops and targets. */
export function PositionsPage() {
  const { state } = useAccountLive();
  return (
    <div className="flex flex-col gap-3">
      <h1 className="sr-only">Positions</h1>
      <LiveNotice />
      {state === null ? (
        <output className="block min-h-[40dvh]" aria-label="Loading the positions" />
      ) : (
        <Positions state={state} />
      )}
    </div>
  );
}

function Positions({ state }: { readonly state: AccountStateView }) {
  const { positions, markets } = state;
  const rows = useOpenRows(positions.length <= OPEN_LEGS_MAX);
  const marketOf = (pair: string): MarketView | undefined =>
    markets.find((market) => market.pair === pair);
  return (
    <Panel
      title={positions.length === 1 ? "1 position" : `${positions.length} positions`}
      aside={<CloseAll positions={positions} />}
      flush
    >
      <Table
        label="Open positions"
        columns={columnsOf({ ...rows, state, marketOf })}
        rows={positions}
        keyOf={({ positionUuid }) => positionUuid}
        detail={(position) =>
          rows.isOpen(position.positionUuid) ? (
            <PositionDetail
              position={position}
              state={state}
              market={marketOf(position.tradePair)}
            />
          ) : null
        }
        empty={<NoPosition isOver={hasEnded(state)} />}
      />
    </Panel>
  );
}

function CloseAll({ positions }: { readonly positions: readonly PositionItem<Linked>[] }) {
  const { accountId } = useAccountLive();
  const role = useQuery(sessionQuery).data?.person.role;
  if (role === "owner") return <FlattenButton accountId={accountId} positions={positions} />;
  return role === undefined ? null : (
    <span className="text-xs text-muted">Only the owner can close positions here.</span>
  );
}

function NoPosition({ isOver }: { readonly isOver: boolean }) {
  if (isOver) {
    return (
      <EmptyList title="No open positions">
        <NoMoreOrders />
      </EmptyList>
    );
  }
  return (
    <EmptyList title="No open positions">
      <p className="mb-3">A position appears when an order is filled, for example:</p>
      <OrderExample
        label="Request that opens a position"
        trade={{
          execution_type: "MARKET",
          trade_pair: "BTCUSD",
          order_type: "LONG",
          quantity: 0.01,
        }}
      />
    </EmptyList>
  );
}

interface ColumnsOf {
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
  readonly state: AccountStateView;
  readonly marketOf: (pair: string) => MarketView | undefined;
}

function columnsOf({
  isOpen,
  toggle,
  state,
  marketOf,
}: ColumnsOf): readonly Column<PositionItem<Linked>>[] {
  const isBare = ({ positionUuid }: PositionItem<Linked>): boolean =>
    !state.orders.some((order) => order.positionUuid === positionUuid && hasStop(order));
  return [
    {
      head: "Pair",
      phone: "title",
      cell: (position) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <Disclosure
            open={isOpen(position.positionUuid)}
            label={`Legs of ${position.tradePairDisplay}`}
            onToggle={() => toggle(position.positionUuid)}
          >
            {position.tradePairDisplay}
          </Disclosure>
          {isBare(position) && <Badge kind="warn">no stop</Badge>}
          <MarketBadges market={marketOf(position.tradePair)} />
        </span>
      ),
    },
    {
      head: "Side",
      phone: "title",
      cell: ({ positionType }) => <SideBadge side={positionType} />,
    },
    ...figureColumns(marketOf),
  ];
}

function figureColumns(marketOf: ColumnsOf["marketOf"]): readonly Column<PositionItem<Linked>>[] {
  return [
    column("Size", "netQuantity", ({ netQuantity: size }) =>
      size === null ? null : Math.abs(size),
    ),
    {
      head: "Entry",
      right: true,
      cell: ({ tradePair, averageEntryPrice }) => (
        <Price pair={tradePair} value={averageEntryPrice} field="positions[].averageEntryPrice" />
      ),
    },
    {
      head: "Mark",
      right: true,
      phone: "figure",
      cell: ({ positionType, tradePair }) => (
        <Price pair={tradePair} value={markOf(positionType, marketOf(tradePair))} />
      ),
    },
    {
      head: "Value",
      right: true,
      cell: ({ netValue }) => (
        <Figure value={netValue} as={moneyText} field="positions[].netValue" unit="USD" />
      ),
    },
    {
      head: "Leverage",
      right: true,
      cell: ({ netLeverage }) => (
        <Figure value={netLeverage} as={leverageText} field="positions[].netLeverage" unit="x" />
      ),
    },
    {
      head: "Open PnL",
      right: true,
      phone: "figure",
      cell: ({ unrealizedPnl }) => (
        <GainFigure
          value={unrealizedPnl}
          as={signedMoneyText}
          field="positions[].unrealizedPnl"
          unit="USD"
        />
      ),
    },
    {
      head: "Return",
      right: true,
      phone: "figure",
      cell: ({ currentReturn }) => <Return value={currentReturn} />,
    },
    { head: "Opened, UTC", right: true, cell: ({ openMs }) => <OpenedTime atMs={openMs} /> },
  ];
}

function column(
  head: string,
  field: string,
  value: (position: PositionItem<Linked>) => number | null,
): Column<PositionItem<Linked>> {
  return {
    head,
    right: true,
    cell: (position) => (
      <Figure value={value(position)} as={plainText} field={`positions[].${field}`} />
    ),
  };
}

/** The return of a position in percent, from the multiplier of the API. */
function Return({ value }: { readonly value: number | null }) {
  const percent = value === null ? null : (value - 1) * 100;
  return (
    <Figure
      value={value}
      as={() => signedPercentText(percent)}
      field="positions[].currentReturn"
      tone={toneOf(percent)}
    />
  );
}

function OpenedTime({ atMs }: { readonly atMs: number }) {
  return <span title={timeText(atMs)}>{agoText(atMs, useNow())}</span>;
}

function leverageText(value: number | null | undefined): string {
  return fixedText(value, 4);
}
