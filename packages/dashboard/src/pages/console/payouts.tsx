import type { OperatorAnswer, OperatorPayout } from "@propgate/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useNow } from "../../clock.tsx";
import { sumUsd } from "../../format/exact.ts";
import { moneyText, UNKNOWN } from "../../format/numbers.ts";
import { agoText, dayText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Switcher } from "../../parts/field.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { MoreItems } from "./more.tsx";
import { payoutPagesQuery, payoutQuery } from "./queries.ts";
import { RecordPaymentDialog } from "./record-payment.tsx";

const STATUSES = [
  { value: "pending,processing,failed", text: "All unpaid" },
  { value: "pending", text: "Pending" },
  { value: "processing", text: "Processing" },
  { value: "failed", text: "Failed" },
  { value: "paid", text: "Paid" },
] as const;
type Status = (typeof STATUSES)[number]["value"];

/** The payouts of all accounts by their status, at first the unpaid ones. */
export function ConsolePayoutsPage() {
  const { payout = "" } = useSearch({ strict: false });
  const [status, setStatus] = useState<Status>(STATUSES[0].value);
  const [recorded, setRecorded] = useState<OperatorPayout | null>(null);
  const payouts = useInfiniteQuery(payoutPagesQuery(status));
  const rows = payouts.data?.pages.flatMap(({ items }) => items) ?? [];
  const [first] = payouts.data?.pages ?? [];
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Payouts</h1>
      {payout !== "" && <OnePayout id={payout} onRecord={setRecorded} />}
      <Panel
        title={status === "paid" ? "Paid, newest first" : "Queue, oldest first"}
        flush
        aside={<Switcher label="Status" value={status} options={STATUSES} onChange={setStatus} />}
      >
        <Loaded query={payouts} heightClass="min-h-80">
          {() => <PayoutTable rows={rows} onRecord={setRecorded} status={status} />}
        </Loaded>
        {first !== undefined && rows.length > 0 && <ListedSum sums={first.sums} />}
        <MoreItems query={payouts} shown={rows.length} name="Payouts" />
      </Panel>
      {recorded !== null && (
        <RecordPaymentDialog payout={recorded} onClose={() => setRecorded(null)} />
      )}
    </div>
  );
}

/** The sum of all listed payouts, including those on later pages. */
function ListedSum({ sums }: Pick<OperatorAnswer<"payouts.list">, "sums">) {
  const amount = sumUsd(sums.map((one) => one.amount));
  return (
    <p className="px-4 pt-3 text-xs text-muted">
      Together <Figure value={amount} as={moneyText} field="payouts.sums[].amount" /> USD
    </p>
  );
}

function OnePayout({
  id,
  onRecord,
}: {
  readonly id: string;
  readonly onRecord: (payout: OperatorPayout) => void;
}) {
  const payout = useQuery(payoutQuery(id));
  return (
    <Panel title="Search result" flush>
      <Loaded query={payout} heightClass="min-h-24">
        {(one) => <PayoutTable rows={[one]} onRecord={onRecord} />}
      </Loaded>
    </Panel>
  );
}

function PayoutTable({
  rows,
  onRecord,
  status = STATUSES[0].value,
}: {
  readonly rows: readonly OperatorPayout[];
  readonly onRecord: (payout: OperatorPayout) => void;
  /** The status of the listed payouts. */
  readonly status?: Status;
}) {
  const columns: readonly Column<OperatorPayout>[] = [
    ...COLUMNS,
    {
      head: "Action",
      right: true,
      phone: "title",
      cell: (payout) =>
        payout.status === "paid" ? null : (
          <Button onClick={() => onRecord(payout)}>
            Record<span className="sr-only"> {payout.id}</span>
          </Button>
        ),
    },
  ];
  return (
    <Table
      label="Payouts"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      empty={<NoPayouts status={status} />}
    />
  );
}

function NoPayouts({ status }: { readonly status: Status }) {
  if (status !== STATUSES[0].value) return <EmptyList title={`No ${status} payouts`} />;
  return (
    <EmptyList title="No unpaid payouts">
      A week with earnings closes on Monday 00:00 UTC. It is then listed here until it is recorded
      as paid.
    </EmptyList>
  );
}

const KINDS = { pending: "notice", processing: "info", failed: "danger", paid: "ok" } as const;

const COLUMNS: readonly Column<OperatorPayout>[] = [
  {
    head: "Payout",
    phone: "title",
    cell: ({ id, accountId }) => (
      <Link
        to="/a/$accountId/payouts"
        params={{ accountId }}
        title={id}
        className="font-mono text-xs text-accent underline wrap-anywhere"
      >
        {id.slice(0, 11)}…{id.slice(-13)}
      </Link>
    ),
  },
  {
    head: "Week",
    cell: ({ periodStartMs, periodEndMs }) =>
      `${dayText(periodStartMs)} to ${dayText(periodEndMs)}`,
  },
  { head: "Owner", phone: "figure", cell: ({ ownerId }) => ownerId },
  { head: "Closed", phone: "figure", cell: ({ periodEndMs }) => <Ago atMs={periodEndMs} /> },
  {
    head: "Amount, USD",
    right: true,
    phone: "figure",
    cell: ({ amount }) => <Figure value={amount} as={moneyText} field="payouts.items[].amount" />,
  },
  { head: "Split", right: true, cell: ({ profitSplit }) => profitSplit },
  {
    head: "Paid, USD",
    right: true,
    phone: "figure",
    cell: ({ paidAmount }) => (
      <Figure value={paidAmount} as={moneyText} field="payouts.items[].paidAmount" />
    ),
  },
  {
    head: "Rail, provider, reference",
    cell: ({ rail, provider, reference }) =>
      [rail, provider, reference].filter((one) => one !== null && one !== "").join(", ") || "--",
  },
  {
    head: "Status",
    phone: "figure",
    cell: ({ status, restored }) =>
      status === null ? (
        UNKNOWN
      ) : (
        <>
          <Badge kind={KINDS[status]}>{status}</Badge>
          {restored && (
            <span title="It may have been paid after the backup. Compare it with your payments.">
              {" "}
              <Badge kind="notice">restored</Badge>
            </span>
          )}
        </>
      ),
  },
];

function Ago({ atMs }: { readonly atMs: number }) {
  return <>{agoText(atMs, useNow())}</>;
}
