import type { Linked, PayoutItem } from "@propgate/contract";
import { exactMoney, sharedDigits } from "../../format/exact-money.ts";
import { dayText, periodText } from "../../format/times.ts";
import { Figure, NamedValue } from "../../parts/figure.tsx";
import { EmptyList } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { StatusBadge } from "./week-table.tsx";

interface PaymentTableProps {
  readonly payments: readonly PayoutItem<Linked>[];
  /** Why there is no calculation of the weeks. */
  readonly reason: string;
}

/** The closed weeks of an account whose network sends amounts without their calculation. */
export function PaymentTable({ payments, reason }: PaymentTableProps) {
  return (
    <>
      <Table
        label="List of closed weeks"
        columns={columnsFor(sharedDigits(payments.map(({ amount }) => amount)))}
        rows={payments}
        keyOf={({ id }) => id}
        empty={
          <EmptyList title="No closed weeks yet">The network sent no payout so far.</EmptyList>
        }
      />
      <p className="border-t border-line px-3 py-2 text-xs text-muted">{reason}.</p>
    </>
  );
}

function columnsFor(digits: number): readonly Column<PayoutItem<Linked>>[] {
  const money = exactMoney(digits);
  return [
    {
      head: "Week (UTC)",
      phone: "title",
      cell: ({ periodStartMs, periodEndMs }) => (
        <span className="whitespace-nowrap">{periodText(periodStartMs, periodEndMs)}</span>
      ),
    },
    {
      head: "Split",
      phone: "figure",
      cell: ({ profitSplit }) => (
        <NamedValue value={profitSplit} field="items[].profitSplit">
          {profitSplit}
        </NamedValue>
      ),
    },
    {
      head: "Payout",
      right: true,
      phone: "figure",
      cell: ({ amount }) => <Figure value={amount} {...money} field="items[].amount" />,
    },
    { head: "Payment", phone: "title", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      head: "Paid",
      phone: "figure",
      cell: ({ paidAtMs }) => (
        <NamedValue value={paidAtMs} field="items[].paidAtMs">
          {dayText(paidAtMs)}
        </NamedValue>
      ),
    },
  ];
}
