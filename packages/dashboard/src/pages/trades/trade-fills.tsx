import type { CarryView, FillView, TradeFills, TradeItem } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/call.ts";
import { sumUsd } from "../../format/exact.ts";
import { fixedText, moneyText, plainText, signedMoneyText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Figure, toneOf } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Price } from "../../parts/price.tsx";
import { type Column, Table } from "../../parts/table.tsx";

/** Every fill and every carry of a trade, and whether they add up to the trade. */
export function Fills({
  accountId,
  trade,
}: {
  readonly accountId: string;
  readonly trade: TradeItem;
}) {
  const fills = useQuery({
    queryKey: ["account", accountId, "trades", trade.id, "fills"],
    queryFn: ({ signal }) =>
      read<TradeFills>(`accounts/${accountId}/trades/${trade.id}/fills`, signal),
  });
  return (
    <Loaded query={fills} room="min-h-32">
      {(data) => <FillList trade={trade} fills={data} />}
    </Loaded>
  );
}

function FillList({ trade, fills }: { readonly trade: TradeItem; readonly fills: TradeFills }) {
  const realized = sumUsd(fills.fills.map(({ realizedPnl }) => realizedPnl));
  const fillFees = sumUsd(fills.fills.map(({ fee }) => fee));
  const carryFees = sumUsd(fills.carry.map(({ fee }) => fee));
  const fees = sumUsd([fillFees, carryFees]);
  const agrees = realized === trade.realizedPnl && fees === trade.totalFees;
  return (
    <div className="flex flex-col gap-3">
      <Table
        label="Trade fills"
        columns={fillColumns(trade.tradePair)}
        rows={fills.fills}
        keyOf={({ sequence }) => String(sequence)}
        empty={<p className="text-muted">The journal has no fills of this trade.</p>}
      />
      {fills.carry.length > 0 && (
        <Table
          label="Trade carry"
          columns={CARRY_COLUMNS}
          rows={fills.carry}
          keyOf={({ sequence }) => String(sequence)}
          empty={null}
        />
      )}
      <p className="text-xs text-muted">
        Realized <Figure value={realized} as={signedMoneyText} tone={toneOf(realized)} />, fees of
        fills <Figure value={fillFees} as={moneyText} />, carry{" "}
        <Figure value={carryFees} as={moneyText} />, together{" "}
        <Figure
          value={sumUsd([realized, -fees])}
          as={signedMoneyText}
          tone={toneOf(sumUsd([realized, -fees]))}
        />
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
    </div>
  );
}

const EFFECTS: Readonly<Record<FillView["effect"], string>> = {
  open: "opens",
  add: "adds",
  reduce: "reduces",
  close: "closes",
};

function fillColumns(pair: string): readonly Column<FillView>[] {
  return [
    { head: "Time, UTC", phone: "title", cell: ({ atMs }) => timeText(atMs) },
    {
      head: "Event",
      phone: "title",
      cell: ({ kind, effect, direction, bindingCap }) => (
        <>
          {kind} {direction}, {EFFECTS[effect]}
          {bindingCap !== null && <span className="text-muted"> (less: {bindingCap})</span>}
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
        <Figure
          value={realizedPnl}
          as={signedMoneyText}
          field="fills[].realizedPnl"
          tone={toneOf(realizedPnl)}
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

function feeText(value: number | null | undefined): string {
  return fixedText(value, 2);
}
