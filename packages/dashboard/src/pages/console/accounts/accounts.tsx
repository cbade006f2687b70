import type { OperatorAccount } from "@propgate/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { moneyText, percentText, UNKNOWN } from "../../../format/numbers.ts";
import { dayText, timeText } from "../../../format/times.ts";
import { Button } from "../../../parts/button.tsx";
import { Snippet } from "../../../parts/copy.tsx";
import { Switcher } from "../../../parts/field.tsx";
import { Figure } from "../../../parts/figure.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../../parts/notice.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { MoreItems } from "../more.tsx";
import { accountPagesQuery, healthQuery } from "../queries.ts";
import { SearchField } from "../search-field.tsx";
import { AccountActions } from "./account-actions.tsx";
import { type AccountFilter, accountFilterOf } from "./account-filter.ts";
import { AccountFilters } from "./account-filters.tsx";
import { NETWORK_NAMES, phaseText, programText } from "./account-line.tsx";
import { LinkAccountDialog } from "./link-account.tsx";
import { OpenAccountDialog } from "./open-account.tsx";

const SORT_ORDERS = [
  { value: "newest", text: "Newest" },
  { value: "nearest", text: "Nearest limit" },
  { value: "ended", text: "Ended last" },
] as const;

const route = getRouteApi("/signed-in/console/accounts");

/** The accounts of the service, with a filter, a search, details and actions. */
export function AccountsPage() {
  const filter = accountFilterOf(route.useSearch());
  const navigate = route.useNavigate();
  const show = (search: AccountFilter): void =>
    void navigate({ search, replace: true, resetScroll: false });
  const [dialog, setDialog] = useState<"open" | "link" | null>(null);
  const hasValidator = (useQuery(healthQuery).data?.network ?? null) !== null;
  const accounts = useInfiniteQuery(accountPagesQuery(filter));
  const rows = accounts.data?.pages.flatMap(({ items }) => items) ?? [];
  const asOfMs = accounts.data?.pages[0]?.asOf.atMs;
  const { q = "" } = filter;
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
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3">
          <Switcher
            label="Order"
            value={filter.order ?? "newest"}
            options={SORT_ORDERS}
            onChange={(order) => show({ ...filter, order })}
          />
          <span className="figure text-xs text-muted">
            Figures of {asOfMs === undefined ? UNKNOWN : `${timeText(asOfMs)} UTC`}{" "}
            <Button small onClick={() => void accounts.refetch()}>
              Refresh
            </Button>
          </span>
        </div>
        <AccountFilters filter={filter} onChange={show} />
        <FindAccount q={q} onFind={(text) => show(accountFilterOf({ ...filter, q: text }))} />
        <Loaded query={accounts} heightClass="min-h-80">
          {() => (
            <AccountTable
              key={q}
              rows={rows}
              searched={q}
              isFiltered={Object.keys(filter).length > 0}
            />
          )}
        </Loaded>
        <MoreItems query={accounts} shown={rows.length} name="Accounts" />
      </Panel>
      {dialog === "open" && <OpenAccountDialog onClose={() => setDialog(null)} />}
      {dialog === "link" && <LinkAccountDialog onClose={() => setDialog(null)} />}
    </>
  );
}

interface FindAccountProps {
  readonly q: string;
  readonly onFind: (text: string) => void;
}

/** The search field. A search that comes with the URL replaces the typed text. */
function FindAccount({ q, onFind }: FindAccountProps) {
  const [typed, setTyped] = useState(q);
  const [shown, setShown] = useState(q);
  if (shown !== q) {
    setShown(q);
    setTyped(q);
  }
  const text = { typed, setTyped, take: () => onFind(typed.trim()) };
  return <SearchField label="Account id prefix or owner id" text={text} />;
}

function AccountTable({
  rows,
  searched,
  isFiltered,
}: {
  readonly rows: readonly OperatorAccount[];
  readonly searched: string;
  readonly isFiltered: boolean;
}) {
  // When a search finds a single account, its details are open.
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
      empty={isFiltered ? <NothingFound searched={searched} /> : <NoAccounts />}
    />
  );
}

function NoAccounts() {
  return (
    <EmptyList title="No accounts yet">
      <p className="mb-3">Open one here, or run</p>
      <Snippet
        label="Command that opens an account"
        text="npm run propgate -- operator accounts open --size 100000 --owner ann"
      />
    </EmptyList>
  );
}

function NothingFound({ searched }: { readonly searched: string }) {
  if (searched === "")
    return <EmptyList title="No accounts match the filter">Change it above.</EmptyList>;
  return (
    <EmptyList title={`No accounts match “${searched}”`}>
      Search by the beginning of an account id or an owner id, or by a part of a name or external
      id.
    </EmptyList>
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
    phone: "figure",
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
