import { isRecord, type JournalEntry } from "@propgate/contract";
import { useState } from "react";
import { timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { Button } from "../../parts/button.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Disclosure, useOpenRows } from "../../parts/disclosure.tsx";
import { Switcher } from "../../parts/field.tsx";
import { Facts } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { EVENT_KINDS, type EventKind, KIND_NAMES, kindOf, typeText } from "./event-kinds.ts";
import { JournalProofs } from "./journal-proofs.tsx";
import { useJournal } from "./use-journal.ts";

type Filter = EventKind | "all";

const FILTERS: readonly { readonly value: Filter; readonly text: string }[] = [
  { value: "all", text: "All" },
  ...EVENT_KINDS.map((kind) => ({ value: kind, text: KIND_NAMES[kind] })),
];

/** Every event of the account, in the order of the journal. */
export function JournalPage() {
  const { accountId } = useAccountLive();
  const { entries, more } = useJournal(accountId);
  const [filter, setFilter] = useState<Filter>("all");
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Journal</h1>
      <JournalProofs key={accountId} accountId={accountId} />
      <Panel title="Entries" flush>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-1.5">
          <div className="min-w-0 [&>fieldset]:flex-wrap">
            <Switcher label="Show" value={filter} options={FILTERS} onChange={setFilter} />
          </div>
          {filter !== "all" && more !== null && (
            <span className="text-xs text-muted">among the loaded entries</span>
          )}
        </div>
        <Loaded query={entries} heightClass="min-h-[32rem]">
          {(all) => <EntryTable all={all} filter={filter} />}
        </Loaded>
        {more !== null && (
          <div className="border-t border-line p-3 text-center">
            {more.isError && (
              <p role="alert" className="mb-2 text-danger">
                {more.error.message}
              </p>
            )}
            <Button disabled={more.isPending} onClick={() => more.mutate()}>
              Older entries
            </Button>
          </div>
        )}
      </Panel>
    </div>
  );
}

interface EntryTableProps {
  readonly all: readonly JournalEntry[];
  readonly filter: Filter;
}

function EntryTable({ all, filter }: EntryTableProps) {
  const { isOpen, toggle } = useOpenRows(false);
  const rows = all.filter(({ type }) => filter === "all" || kindOf(type) === filter);
  const columns: readonly Column<JournalEntry>[] = [
    {
      head: "No.",
      cell: ({ sequence }) => (
        <Disclosure
          open={isOpen(String(sequence))}
          label={`Event ${sequence}`}
          onToggle={() => toggle(String(sequence))}
        >
          {sequence}
        </Disclosure>
      ),
      phone: "title",
    },
    {
      head: "Time (UTC)",
      cell: ({ atMs }) => <span className="whitespace-nowrap">{timeText(atMs)}</span>,
      phone: "title",
    },
    {
      head: "Event",
      cell: ({ summary, type }) => <span title={type}>{summary}</span>,
      phone: "title",
    },
    {
      head: "Kind",
      cell: ({ type }) => <span className="whitespace-nowrap text-muted">{typeText(type)}</span>,
    },
    {
      head: "By",
      cell: ({ by }) => <span className="font-normal text-muted wrap-anywhere">{by}</span>,
      phone: "title",
    },
  ];
  return (
    <Table
      label="Journal"
      columns={columns}
      rows={rows}
      keyOf={({ sequence }) => String(sequence)}
      detail={(entry) => (isOpen(String(entry.sequence)) ? <EntryDetail entry={entry} /> : null)}
      empty={
        <EmptyList title="No loaded entry of this kind">
          Choose another kind, or load older entries.
        </EmptyList>
      }
    />
  );
}

function EntryDetail({ entry }: { readonly entry: JournalEntry }) {
  return (
    <div className="flex flex-col gap-3">
      <Facts
        rows={[
          [
            "Hash",
            <code key="hash" className="font-mono text-xs">
              {entry.hash}
            </code>,
          ],
          [
            "Request nonce",
            <code key="nonce" className="font-mono text-xs">
              {entry.nonce ?? "none: not made by a key"}
            </code>,
          ],
        ]}
      />
      <Snippet label={`Event ${entry.sequence}`} text={JSON.stringify(entry.event, null, 2)} />
      <p className="text-xs text-muted">
        {isRecord(entry.event) && entry.event.observed === true
          ? "Read at the validator, not decided here. Amounts are dollars."
          : "Amounts in events are whole millionths of a dollar."}
      </p>
    </div>
  );
}
