import type { Linked, TradeItem, TradesView } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { memo, useMemo, useState } from "react";
import { getData } from "../../api/call.ts";
import {
  moneyText,
  percentText,
  plainText,
  signedMoneyText,
  signedPercentText,
} from "../../format/numbers.ts";
import { durationText, timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { hasEnded } from "../../live/near-limit.ts";
import { Button } from "../../parts/button.tsx";
import { Disclosure, useOpenRows } from "../../parts/disclosure.tsx";
import { Figure, GainFigure, Tile, toneOf } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { NoMoreOrders, OrderExample } from "../../parts/order-example.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Price, useTickOf } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { SideBadge } from "../positions/market-badges.tsx";
import { csvOf } from "./csv.ts";
import { FilterForm } from "./filter-form.tsx";
import { saveText } from "./save-text.ts";
import { tradeCsv } from "./trade-columns.ts";
import { Fills } from "./trade-fills.tsx";
import { matchesFilter, netPnlOf, pairsOf, type TradeTotals, tradeTotals } from "./trade-filter.ts";

const route = getRouteApi("/signed-in/a/$accountId/trades");

/** How many rows are drawn at first, and added by each click. Thousands of rows are slow to draw. */
const STEP = 100;

/** The closed trades of the account with their totals. */
export function TradesPage() {
  const { accountId } = useAccountLive();
  const trades = useQuery({
    queryKey: ["account", accountId, "trades"],
    queryFn: ({ signal }) => getData<TradesView>(`accounts/${accountId}/trades`, signal),
  });
  return (
    <div className="flex flex-col gap-3">
      <h1 className="sr-only">Trades</h1>
      <Loaded query={trades} heightClass="min-h-[60dvh]">
        {(data) =>
          data.trades.length === 0 ? (
            <NoTrade />
          ) : (
            <Trades accountId={accountId} trades={data.trades} />
          )
        }
      </Loaded>
    </div>
  );
}

function NoTrade() {
  const { state } = useAccountLive();
  return (
    <Panel title="Trades" flush>
      <EmptyList title="No closed trades">
        {state !== null && hasEnded(state) ? (
          <NoMoreOrders />
        ) : (
          <>
            <p className="mb-3">
              A trade appears when its position is closed, for example by this order:
            </p>
            <OrderExample
              label="Request that closes a position"
              trade={{ execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" }}
            />
          </>
        )}
      </EmptyList>
    </Panel>
  );
}

interface TradesProps {
  readonly accountId: string;
  readonly trades: readonly TradeItem<Linked>[];
}

/** The trades. They are memoized, so that they are drawn again when the trades change and not at every price. */
const Trades = memo(function Trades({ accountId, trades }: TradesProps) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const pairs = useMemo(() => pairsOf(trades), [trades]);
  const found = useMemo(
    () => trades.filter((trade) => matchesFilter(trade, filter)),
    [trades, filter],
  );
  const totals = useMemo(() => tradeTotals(found), [found]);
  return (
    <>
      <Panel title="Filter">
        <FilterForm
          filter={filter}
          pairs={pairs}
          onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
        />
      </Panel>
      <Totals totals={totals} all={trades.length} />
      <TradeList key={JSON.stringify(filter)} accountId={accountId} trades={found} />
    </>
  );
});

function Totals({ totals, all }: { readonly totals: TradeTotals; readonly all: number }) {
  return (
    <section aria-label="Totals of shown trades" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile label="Trades shown" note={`of ${plainText(all)} closed`}>
        <Figure value={totals.count} as={plainText} />
      </Tile>
      <Tile label="Win rate" note="profitable net of fees">
        <Figure value={totals.winRate} as={percentText} />
      </Tile>
      <Tile label="Net PnL" note="after fees and carry">
        <GainFigure value={totals.netPnl} as={signedMoneyText} unit="USD" />
      </Tile>
      <Tile label="Fees" note="carry included">
        <Figure value={totals.fees} as={moneyText} unit="USD" />
      </Tile>
    </section>
  );
}

function TradeList({ accountId, trades }: TradesProps) {
  const [rowsMax, setRowsMax] = useState(STEP);
  const rows = useOpenRows(false);
  const shown = trades.slice(0, rowsMax);
  const left = trades.length - shown.length;
  const tickOf = useTickOf();
  const save = (): void => {
    const text = csvOf(tradeCsv(tickOf), trades);
    saveText(`trades-${accountId.slice(0, 8)}.csv`, "text/csv", text);
  };
  return (
    <Panel
      title="Trades, newest first"
      aside={
        <Button onClick={save} disabled={trades.length === 0}>
          Export {plainText(trades.length)} as CSV
        </Button>
      }
      flush
    >
      <Table
        label="Closed trades"
        columns={columnsOf(rows)}
        rows={shown}
        keyOf={({ id }) => id}
        detail={(trade) =>
          rows.isOpen(trade.id) ? <Fills accountId={accountId} trade={trade} /> : null
        }
        empty={
          <EmptyList title="No matching trades">
            Change the filter, or press "Show all" to clear it.
          </EmptyList>
        }
      />
      {left > 0 && (
        <div className="p-3 text-center">
          <Button onClick={() => setRowsMax(rowsMax + STEP)}>
            Show {plainText(Math.min(STEP, left))} more of {plainText(left)}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function columnsOf({
  isOpen,
  toggle,
}: ReturnType<typeof useOpenRows>): readonly Column<TradeItem<Linked>>[] {
  return [
    {
      head: "Pair",
      phone: "title",
      cell: ({ id, tradePairDisplay, status }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <Disclosure
            open={isOpen(id)}
            label={`Fills of ${tradePairDisplay}`}
            onToggle={() => toggle(id)}
          >
            {tradePairDisplay}
          </Disclosure>
          {status === "LIQUIDATED" && <Badge kind="danger">liquidated</Badge>}
        </span>
      ),
    },
    { head: "Side", phone: "title", cell: ({ positionType }) => <SideBadge side={positionType} /> },
    ...FIGURES,
  ];
}

const FIGURES: readonly Column<TradeItem<Linked>>[] = [
  figure("Size", "quantity", ({ quantity }) => (quantity === null ? null : Math.abs(quantity))),
  price("Entry", "entryPriceNumeric"),
  price("Exit", "closePriceNumeric"),
  {
    head: "Net PnL",
    right: true,
    phone: "figure",
    cell: (trade) => (
      <GainFigure
        value={netPnlOf(trade)}
        as={signedMoneyText}
        field="trades[].realizedPnl - totalFees"
        unit="USD"
      />
    ),
  },
  {
    head: "Fees",
    right: true,
    cell: ({ totalFees }) => (
      <Figure value={totalFees} as={moneyText} field="trades[].totalFees" unit="USD" />
    ),
  },
  {
    head: "Return",
    right: true,
    phone: "figure",
    cell: ({ returnAtClose }) => {
      const percent = returnAtClose === null ? null : (returnAtClose - 1) * 100;
      return (
        <Figure
          value={returnAtClose}
          as={() => signedPercentText(percent)}
          field="trades[].returnAtClose"
          tone={toneOf(percent)}
        />
      );
    },
  },
  {
    head: "Held",
    right: true,
    cell: ({ openTimeMs, closeTimeMs }) => durationText(closeTimeMs - openTimeMs),
  },
  {
    head: "Closed, UTC",
    right: true,
    phone: "figure",
    cell: ({ closeTimeMs }) => timeText(closeTimeMs),
  },
];

function price(
  head: string,
  field: "entryPriceNumeric" | "closePriceNumeric",
): Column<TradeItem<Linked>> {
  return {
    head,
    right: true,
    cell: (trade) => (
      <Price pair={trade.tradePair} value={trade[field]} field={`trades[].${field}`} />
    ),
  };
}

function figure(
  head: string,
  field: keyof TradeItem<Linked>,
  value: (trade: TradeItem<Linked>) => number | null,
): Column<TradeItem<Linked>> {
  return {
    head,
    right: true,
    cell: (trade) => <Figure value={value(trade)} as={plainText} field={`trades[].${field}`} />,
  };
}
