import type { Linked, PayoutItem, PayoutStatus } from "@propgate/contract";
import { exactMoney } from "../../format/exact-money.ts";
import { moneyText, signedMoneyText, UNKNOWN } from "../../format/numbers.ts";
import { periodText, timeText } from "../../format/times.ts";
import { Disclosure, useOpenRows } from "../../parts/disclosure.tsx";
import { Facts, Figure, GainFigure, NamedValue } from "../../parts/figure.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { formulaDigits, formulaOf, payableUsd } from "./cycle-formula.ts";
import type { PayoutWeek } from "./payout-weeks.ts";

interface WeekTableProps {
  readonly weeks: readonly PayoutWeek[];
  /** The number of decimals of the payouts: as many as the most exact one of a closed week needs. */
  readonly digits: number;
}

/** The closed weeks. The calculation of a payout can be opened below its row. */
export function WeekTable({ weeks, digits }: WeekTableProps) {
  const open = useOpenRows(false);
  return (
    <Table
      label="List of closed weeks"
      rows={weeks}
      keyOf={keyOf}
      columns={columnsFor(digits, open)}
      detail={(week) => (open.isOpen(keyOf(week)) ? <WeekDetail week={week} /> : null)}
      empty={
        <EmptyList title="No closed weeks yet">
          The week of a funded account closes on Monday at 00:00 UTC. It is then listed here with
          its payout and payment.
        </EmptyList>
      }
    />
  );
}

function keyOf({ cycle }: PayoutWeek): string {
  return String(cycle.periodStartMs);
}

function columnsFor(
  digits: number,
  { isOpen, toggle }: ReturnType<typeof useOpenRows>,
): readonly Column<PayoutWeek>[] {
  const money = exactMoney(digits);
  return [
    {
      head: "Week (UTC)",
      cell: (week) => {
        const days = periodText(week.cycle.periodStartMs, week.cycle.periodEndMs);
        return (
          <Disclosure
            open={isOpen(keyOf(week))}
            label={`Calculation for ${days}`}
            onToggle={() => toggle(keyOf(week))}
          >
            <span className="whitespace-nowrap">{days}</span>
          </Disclosure>
        );
      },
      phone: "title",
    },
    {
      head: "Weekly profit",
      right: true,
      cell: ({ cycle }) => <GainFigure value={cycle.weekProfit} as={signedMoneyText} />,
      phone: "figure",
    },
    {
      head: "Profit to date",
      right: true,
      cell: ({ cycle }) => <GainFigure value={cycle.profit} as={signedMoneyText} />,
    },
    {
      head: "Gross",
      right: true,
      cell: ({ cycle }) => <Figure value={cycle.gross} as={moneyText} />,
      phone: "figure",
    },
    {
      head: "Payout",
      right: true,
      cell: ({ cycle }) => (
        <Figure
          value={payableUsd(cycle)}
          {...money}
          {...(cycle.payoutId === null ? {} : { field: "items[].amount" })}
        />
      ),
      phone: "figure",
    },
    { head: "Payment", cell: (week) => <Payment week={week} />, phone: "title" },
  ];
}

const STATUS_KINDS: Readonly<Record<PayoutStatus, "info" | "notice" | "ok" | "danger">> = {
  pending: "notice",
  processing: "info",
  paid: "ok",
  failed: "danger",
};

function Payment({ week: { cycle, payout } }: { readonly week: PayoutWeek }) {
  if (payout !== null) return <StatusBadge status={payout.status} />;
  if (cycle.isHeld) return <Badge kind="warn">held</Badge>;
  return <span className="text-muted">{cycle.payoutId === null ? "no payout" : UNKNOWN}</span>;
}

export function StatusBadge({ status }: { readonly status: PayoutStatus | null }) {
  return (
    <NamedValue value={status} field="items[].status">
      {status === null ? (
        <span className="text-muted">{UNKNOWN}</span>
      ) : (
        <Badge kind={STATUS_KINDS[status]}>{status}</Badge>
      )}
    </NamedValue>
  );
}

function WeekDetail({ week: { cycle, payout } }: { readonly week: PayoutWeek }) {
  const lines = formulaOf(cycle);
  const money = exactMoney(formulaDigits(lines));
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <div>
        <h3 className="mb-2 text-xs font-semibold text-muted">Calculation</h3>
        <table className="w-full">
          <tbody>
            {lines.map(({ sign, name, amount, note }) => (
              <tr key={name} className={sign === "=" ? "border-t border-line font-medium" : ""}>
                <th scope="row" className="py-0.5 pr-3 text-left font-normal whitespace-nowrap">
                  <span className="inline-block w-4 text-muted">{sign}</span>
                  {name}
                  {note !== "" && amount !== null && (
                    <span className="block pl-4 text-xs whitespace-normal text-muted">{note}</span>
                  )}
                </th>
                <td className="figure py-0.5 text-right align-top whitespace-nowrap">
                  {amount === null ? note : <Figure value={amount} {...money} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {cycle.isHeld && (
          <p className="mt-3">
            <Badge kind="warn">held</Badge> {cycle.heldBecause ?? "The reason was not recorded."}
          </p>
        )}
      </div>
      <div>
        <h3 className="mb-2 text-xs font-semibold text-muted">Payment</h3>
        {payout === null ? (
          <p className="text-muted">{unpaidWords(cycle)}</p>
        ) : (
          <PaymentFacts payout={payout} />
        )}
      </div>
    </div>
  );
}

function unpaidWords({ isHeld, payoutId }: PayoutWeek["cycle"]): string {
  if (isHeld) return "The share is withheld until a week without a soft breach.";
  return payoutId === null ? "The payout of this week is zero." : "Payment is not loaded yet.";
}

function PaymentFacts({ payout }: { readonly payout: PayoutItem<Linked> }) {
  const said = (name: "profitSplit" | "rail" | "provider" | "reference" | "id") => (
    <NamedValue key={name} value={payout[name]} field={`items[].${name}`}>
      {payout[name] ?? UNKNOWN}
    </NamedValue>
  );
  const time = (name: "requestedAtMs" | "paidAtMs") => (
    <NamedValue key={name} value={payout[name]} field={`items[].${name}`}>
      {timeText(payout[name])}
    </NamedValue>
  );
  return (
    <Facts
      rows={[
        ["Status", <StatusBadge key="status" status={payout.status} />],
        ["Split", said("profitSplit")],
        ["Rail", said("rail")],
        ["Provider", said("provider")],
        ["Reference", said("reference")],
        ["Requested (UTC)", time("requestedAtMs")],
        ["Paid (UTC)", time("paidAtMs")],
        [
          "Amount paid",
          <Figure
            key="paidAmount"
            value={payout.paidAmount}
            as={moneyText}
            field="items[].paidAmount"
            unit="USD"
          />,
        ],
        [
          "Payout",
          <span key="id" className="font-mono text-xs">
            {said("id")}
          </span>,
        ],
      ]}
    />
  );
}
