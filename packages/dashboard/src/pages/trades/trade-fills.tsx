import {
  type CarryView,
  differenceText,
  type FillView,
  type Linked,
  type TradeFills,
  type TradeItem,
} from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { getData } from "../../api/call.ts";
import { sumKnownUsd, sumUsd } from "../../format/exact.ts";
import { fixedText, moneyText, plainText, signedMoneyText, UNKNOWN } from "../../format/numbers.ts";
import { durationText, timeText } from "../../format/times.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Figure, GainFigure } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Price } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { netPnlOf } from "./trade-filter.ts";

/** The fills and the carry of a trade, and whether they add up to the figures of the trade. */
export function Fills({
  accountId,
  trade,
}: {
  readonly accountId: string;
  readonly trade: TradeItem<Linked>;
}) {
  const fills = useQuery({
    queryKey: ["account", accountId, "trades", trade.id, "fills"],
    queryFn: ({ signal }) =>
      getData<TradeFills>(`accounts/${accountId}/trades/${trade.id}/fills`, signal),
  });
  return (
    <Loaded query={fills} heightClass="min-h-32">
      {(data) => <FillList trade={trade} fills={data} />}
    </Loaded>
  );
}

function FillList({
  trade,
  fills,
}: {
  readonly trade: TradeItem<Linked>;
  readonly fills: TradeFills;
}) {
  const carry = fills.carry ?? [];
  const hasKinds = carry.some(({ kind }) => kind !== undefined);
  return (
    <div className="flex flex-col gap-3">
      <Table
        label="Trade fills"
        columns={fillColumns(trade.tradePair)}
        rows={fills.fills}
        keyOf={({ sequence }) => String(sequence)}
        empty={<p className="text-muted">The journal has no fills of this trade.</p>}
      />
      {carry.length > 0 && (
        <Table
          label={hasKinds ? "Trade fees" : "Trade carry"}
          columns={hasKinds ? FEE_COLUMNS : CARRY_COLUMNS}
          rows={carry}
          keyOf={({ sequence }) => String(sequence)}
          empty={null}
        />
      )}
      <Sums trade={trade} fills={fills} />
    </div>
  );
}

function Sums({ trade, fills }: { readonly trade: TradeItem<Linked>; readonly fills: TradeFills }) {
  const realized = sumKnownUsd(fills.fills.map(({ realizedPnl }) => realizedPnl));
  const fillFees = sumKnownUsd(fills.fills.map(({ fee }) => fee));
  const carryFees = fills.carry === null ? null : sumUsd(fills.carry.map(({ fee }) => fee));
  if (realized === null || fillFees === null || carryFees === null) {
    return <TradeSums trade={trade} />;
  }
  const fees = sumUsd([fillFees, carryFees]);
  const agrees = realized === trade.realizedPnl && fees === trade.totalFees;
  return (
    <>
      <p className="text-xs text-muted">
        Realized <GainFigure value={realized} as={signedMoneyText} />, fees of fills{" "}
        <Figure value={fillFees} as={moneyText} />, carry{" "}
        <Figure value={carryFees} as={moneyText} />, together{" "}
        <GainFigure value={sumUsd([realized, -fees])} as={signedMoneyText} />
        {agrees ? ". These sums equal the trade's, to the micro dollar." : "."}
      </p>
      {!agrees && (
        <Notice kind="warn">
          These sums differ from the trade: realized{" "}
          <Figure value={trade.realizedPnl} as={signedMoneyText} field="trades[].realizedPnl" />,
          fees <Figure value={trade.totalFees} as={moneyText} field="trades[].totalFees" />. Verify
          the journal on its page, and send your firm the trade's id, {trade.id}.
        </Notice>
      )}
    </>
  );
}

/** The PnL and the fees of the whole trade, for a trade whose fills have no such figures. */
function TradeSums({ trade }: { readonly trade: TradeItem<Linked> }) {
  const { realizedPnl, totalFees } = trade;
  const net = netPnlOf(trade);
  return (
    <p className="text-xs text-muted">
      The network sends the result and the fees of the whole trade: realized{" "}
      <GainFigure value={realizedPnl} as={signedMoneyText} field="trades[].realizedPnl" />, fees{" "}
      <Figure value={totalFees} as={moneyText} field="trades[].totalFees" />, together{" "}
      <GainFigure value={net} as={signedMoneyText} />.
    </p>
  );
}

const EFFECTS: Readonly<Record<NonNullable<FillView["effect"]>, string>> = {
  open: "opens",
  add: "adds",
  reduce: "reduces",
  close: "closes",
};

/**
 * The notes about a fill: the cap that reduced it, its difference from the order's size, and the age of a stale rate.
 * @rule D12.shortfall
 */
function notesOf({
  bindingCap,
  rateAgeMs,
  ...fill
}: Pick<FillView, "bindingCap" | "rateAgeMs" | "shortfall" | "excess">): readonly string[] {
  const notes = [
    bindingCap,
    differenceText(fill),
    rateAgeMs === null ? null : `rate ${durationText(rateAgeMs)} old`,
  ];
  return notes.filter((note) => note !== null);
}

function fillColumns(pair: string): readonly Column<FillView>[] {
  return [
    { head: "Time, UTC", phone: "title", cell: ({ atMs }) => timeText(atMs) },
    {
      head: "Event",
      phone: "title",
      cell: ({ kind, effect, direction, ...fill }) => (
        <>
          {kind ?? UNKNOWN} {direction ?? UNKNOWN}, {effect === null ? UNKNOWN : EFFECTS[effect]}
          {notesOf(fill).map((note) => (
            <span key={note} className="text-muted">
              {" "}
              ({note})
            </span>
          ))}
        </>
      ),
    },
    {
      head: "Size",
      right: true,
      phone: "figure",
      cell: ({ quantity }) => <Figure value={quantity} as={plainText} field="fills[].quantity" />,
    },
    {
      head: "Price",
      right: true,
      phone: "figure",
      cell: ({ price }) => <Price pair={pair} value={price} field="fills[].price" />,
    },
    {
      head: "Slippage",
      right: true,
      cell: ({ slippage }) => <Figure value={slippage} as={plainText} field="fills[].slippage" />,
    },
    {
      head: "Value",
      right: true,
      cell: ({ value }) => <Figure value={value} as={moneyText} field="fills[].value" unit="USD" />,
    },
    {
      head: "Fee",
      right: true,
      cell: ({ fee }) => <Figure value={fee} as={feeText} field="fills[].fee" unit="USD" />,
    },
    {
      head: "Realized",
      right: true,
      phone: "figure",
      cell: ({ realizedPnl }) => (
        <GainFigure
          value={realizedPnl}
          as={signedMoneyText}
          field="fills[].realizedPnl"
          unit="USD"
        />
      ),
    },
    {
      head: "Order",
      right: true,
      cell: ({ orderUuid }) => <CopyButton text={orderUuid} label="Copy id" small />,
    },
  ];
}

const CARRY_COLUMNS: readonly Column<CarryView>[] = [
  { head: "Carry, UTC", phone: "title", cell: ({ atMs }) => timeText(atMs) },
  {
    head: "Fee",
    right: true,
    phone: "figure",
    cell: ({ fee }) => <Figure value={fee} as={feeText} field="carry[].fee" unit="USD" />,
  },
];

const FEE_COLUMNS: readonly Column<CarryView>[] = [
  { head: "Fee, UTC", phone: "title", cell: ({ atMs }) => timeText(atMs) },
  { head: "Kind", phone: "title", cell: ({ kind }) => kind ?? UNKNOWN },
  {
    head: "Amount",
    right: true,
    phone: "figure",
    cell: ({ fee }) => <Figure value={fee} as={feeText} field="carry[].fee" unit="USD" />,
  },
];

function feeText(value: number | null | undefined): string {
  return fixedText(value, 2);
}
