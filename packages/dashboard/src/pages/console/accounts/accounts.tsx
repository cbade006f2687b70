import type { OperatorAccount } from "@propgate/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { moneyText, percentText, UNKNOWN } from "../../../format/numbers.ts";
import { dayText } from "../../../format/times.ts";
import { Button } from "../../../parts/button.tsx";
import { Snippet } from "../../../parts/copy.tsx";
import { Switcher } from "../../../parts/field.tsx";
import { Figure } from "../../../parts/figure.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Badge, Empty } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { useTyped } from "../action-dialog.tsx";
import { Find } from "../find.tsx";
import { More } from "../more.tsx";
import { type AccountOrder, accountPagesQuery, healthQuery } from "../queries.ts";
import { AccountActions } from "./account-actions.tsx";
import { NETWORK_NAMES, phaseText, programText } from "./account-line.tsx";
import { LinkAccountDialog } from "./link-account.tsx";
import { OpenAccountDialog } from "./open-account.tsx";

const ORDERS = [
  { value: "newest", text: "Newest" },
  { value: "nearest", text: "Nearest limit" },
  { value: "ended", text: "Ended last" },
] as const;

/** Every account: search, details and actions. */
export function AccountsPage() {
  const { q = "" } = useSearch({ strict: false });
  // A new search starts a new list.
  return <Accounts key={q} searched={q} />;
}

function Accounts({ searched }: { readonly searched: string }) {
  const text = useTyped(searched);
  const [dialog, setDialog] = useState<"open" | "link" | null>(null);
  const hasValidator = (useQuery(healthQuery).data?.network ?? null) !== null;
  const [order, setOrder] = useState<AccountOrder>("newest");
  const accounts = useInfiniteQuery(accountPagesQuery(text.taken, order));
  const rows = accounts.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <h1 className="sr-only">Accounts</h1>
      <Panel
        title="Accounts"
        flush
        aside={
          <div className="flex flex-wrap gap-2">
            {hasValidator && <Button onClick={() => setDialog("link")}>Link a subaccount</Button>}
            <Button kind="primary" onClick={() => setDialog("open")}>
              Open an account
            </Button>
          </div>
        }
      >
        <div className="px-4 pt-3">
          <Switcher label="Order" value={order} options={ORDERS} onChange={setOrder} />
        </div>
        <Find label="Account id prefix or owner id" text={text} />
        <Loaded query={accounts} room="min-h-80">
          {() => <AccountTable rows={rows} searched={text.taken} />}
        </Loaded>
        <More query={accounts} shown={rows.length} name="Accounts" />
      </Panel>
      {dialog === "open" && <OpenAccountDialog onClose={() => setDialog(null)} />}
      {dialog === "link" && <LinkAccountDialog onClose={() => setDialog(null)} />}
    </>
  );
}

function AccountTable({
  rows,
  searched,
}: {
  readonly rows: readonly OperatorAccount[];
  readonly searched: string;
}) {
  // A search by a whole id opens the account that it finds.
  const [opened, setOpened] = useState<string | null>(
    rows.length === 1 && searched !== "" ? (rows[0]?.accountId ?? null) : null,
  );
  const columns: readonly Column<OperatorAccount>[] = [
    ...COLUMNS,
    {
      head: "Action",
      right: true,
      phone: "title",
      cell: ({ accountId }) => (
        <Button
          aria-expanded={opened === accountId}
          onClick={() => setOpened(opened === accountId ? null : accountId)}
        >
          Manage<span className="sr-only"> {accountId}</span>
        </Button>
      ),
    },
  ];
  return (
    <Table
      label="List of accounts"
      columns={columns}
      rows={rows}
      keyOf={({ accountId }) => accountId}
      detail={(account) =>
        account.accountId === opened ? <AccountActions account={account} /> : null
      }
      empty={searched === "" ? <NoAccounts /> : <NothingFound searched={searched} />}
    />
  );
}

function NoAccounts() {
  return (
    <Empty title="No accounts yet">
      <p className="mb-3">Open one here, or run</p>
      <Snippet
        label="Command that opens an account"
        text="npm run propgate -- operator accounts open --size 100000 --owner ann"
      />
    </Empty>
  );
}

function NothingFound({ searched }: { readonly searched: string }) {
  return (
    <Empty title={`No accounts match “${searched}”`}>
      Search by the beginning of an account id or an owner id, or by a part of a name or external
      id.
    </Empty>
  );
}

const COLUMNS: readonly Column<OperatorAccount>[] = [
  {
    head: "Account",
    phone: "title",
    cell: ({ accountId }) => (
      <Link
        to="/a/$accountId"
        params={{ accountId }}
        title={accountId}
        className="font-mono text-xs text-accent underline"
      >
        {accountId.slice(0, 13)}…
      </Link>
    ),
  },
  {
    head: "Owner",
    phone: "figure",
    cell: ({ ownerId }) => <span className="font-mono text-xs wrap-anywhere">{ownerId}</span>,
  },
  {
    head: "Network",
    phone: "figure",
    cell: ({ network }) => NETWORK_NAMES[network],
  },
  {
    head: "Program",
    cell: programText,
  },
  { head: "Market", cell: ({ assetClass }) => assetClass?.replace("_", " ") ?? UNKNOWN },
  { head: "Drawdown", cell: ({ drawdownCriteria }) => drawdownCriteria ?? UNKNOWN },
  {
    head: "Size",
    right: true,
    cell: ({ size }) => <Figure value={size} as={moneyText} field="accounts[].size" />,
  },
  {
    head: "Balance",
    right: true,
    phone: "figure",
    cell: ({ balance }) => <Figure value={balance} as={moneyText} field="accounts[].balance" />,
  },
  {
    head: "Limit used",
    right: true,
    cell: ({ nearestUsedOfLimitPct }) => (
      <Figure
        value={nearestUsedOfLimitPct}
        as={percentText}
        field="accounts[].nearestUsedOfLimitPct"
      />
    ),
  },
  {
    head: "Status",
    phone: "figure",
    cell: (account) => <StateBadge account={account} />,
  },
  { head: "Opened", right: true, cell: ({ openedAtMs }) => dayText(openedAtMs) },
];

const KINDS = {
  provisioning: "notice",
  active: "ok",
  eliminated: "danger",
  closed: "info",
} as const;

function StateBadge({ account: { status, phase } }: { readonly account: OperatorAccount }) {
  const isPhase = status === "active" && phase !== null;
  return <Badge kind={KINDS[status]}>{isPhase ? phaseText(phase) : status}</Badge>;
}
