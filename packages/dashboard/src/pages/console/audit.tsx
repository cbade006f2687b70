import { type AuditLine, OPERATOR_CALLS } from "@propgate/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { WORDED_ACTIONS } from "../keys/action-words.ts";
import { MoreItems } from "./more.tsx";
import { type AuditFilter, auditPagesQuery } from "./queries.ts";

const ANY = "";

const OPERATOR_ACTIONS = Object.entries(OPERATOR_CALLS)
  .filter(([, { method }]) => method !== "GET")
  .map(([name]) => name);

/** The actions that the filter offers: those of people on the pages, and the writes of the operator's interface. */
const ACTIONS = [...new Set([...WORDED_ACTIONS, ...OPERATOR_ACTIONS, "token.refused"])].toSorted();

/** The audit: the actions of people and tokens, newest first. */
export function AuditPage() {
  const { account = "" } = useSearch({ strict: false });
  return <Audit key={account} account={account} />;
}

function Audit({ account }: { readonly account: string }) {
  const [filter, setFilter] = useState<AuditFilter>({ accountId: account, by: ANY, deed: ANY });
  const audit = useInfiniteQuery(auditPagesQuery(filter));
  const lines = audit.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <h1 className="sr-only">Audit</h1>
      <Panel title="Audit, newest first" flush>
        <Filters filter={filter} onChange={setFilter} />
        <Loaded query={audit} heightClass="min-h-96">
          {() => (
            <Table
              label="Audit"
              columns={COLUMNS}
              rows={lines}
              keyOf={({ auditId }) => String(auditId)}
              empty={
                <EmptyList title="No entries">
                  Sign-ins and changes are listed here, including failed ones.
                </EmptyList>
              }
            />
          )}
        </Loaded>
        <MoreItems query={audit} shown={lines.length} name="Entries" />
      </Panel>
    </>
  );
}

function Filters({
  filter,
  onChange,
}: {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}) {
  const [account, setAccount] = useState(filter.accountId);
  const [by, setBy] = useState(filter.by);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onChange({ ...filter, accountId: account.trim(), by: by.trim() });
  };
  return (
    <form
      role="search"
      onSubmit={submit}
      className="grid items-end gap-4 border-b border-line p-4 sm:grid-cols-2 lg:grid-cols-4"
    >
      <Choice
        label="Action"
        value={filter.deed}
        onChange={(deed) => onChange({ ...filter, deed })}
        options={[
          { value: ANY, text: "All actions" },
          ...ACTIONS.map((value) => ({ value, text: value })),
        ]}
      />
      <Field
        label="Name, or operator token and its name"
        value={by}
        onChange={(event) => setBy(event.target.value)}
      />
      <Field
        label="Account id"
        value={account}
        onChange={(event) => setAccount(event.target.value)}
      />
      <Button type="submit" className="min-h-9 justify-self-start">
        Search
      </Button>
    </form>
  );
}

const COLUMNS: readonly Column<AuditLine>[] = [
  {
    head: "Time, UTC",
    phone: "figure",
    cell: ({ atMs }) => <span className="md:whitespace-nowrap">{timeText(atMs)}</span>,
  },
  {
    head: "Person",
    phone: "figure",
    cell: ({ by, role }) => (
      <>
        <span className="wrap-anywhere">{by}</span>
        <span className="block text-xs text-muted">{role}</span>
      </>
    ),
  },
  { head: "From", cell: ({ address }) => <span className="font-mono text-xs">{address}</span> },
  {
    head: "Action",
    phone: "title",
    cell: ({ deed }) => <span className="font-medium">{deed}</span>,
  },
  {
    head: "Target",
    phone: "figure",
    cell: ({ subject, accountId }) => <Subject subject={subject} accountId={accountId} />,
  },
  {
    head: "Details",
    phone: "figure",
    cell: ({ detail }) => <span className="wrap-anywhere">{detail ?? ""}</span>,
  },
  {
    head: "Result",
    phone: "title",
    cell: ({ succeeded }) =>
      succeeded ? <Badge kind="ok">done</Badge> : <Badge kind="danger">failed</Badge>,
  },
];

function Subject({ subject, accountId }: Pick<AuditLine, "subject" | "accountId">) {
  const text = subject ?? accountId;
  if (text === null) return null;
  const shown = <span className="font-mono text-xs wrap-anywhere">{text}</span>;
  if (accountId === null) return shown;
  return (
    <Link to="/a/$accountId" params={{ accountId }} className="text-accent underline">
      {shown}
    </Link>
  );
}
