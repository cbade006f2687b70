import type { AuditLine, AuditPage } from "@propgate/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getData } from "../../api/call.ts";
import { timeText } from "../../format/times.ts";
import { Button } from "../../parts/button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { actionText } from "./action-words.ts";

const PAGE_SIZE = 20;

/** The lines of the audit about the account: each change with the person, the address and the result. */
export function AuditPanel({ accountId }: { readonly accountId: string }) {
  const pages = useInfiniteQuery({
    queryKey: ["account", accountId, "audit"],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === null ? "" : `&before=${pageParam}`;
      return getData<AuditPage>(`accounts/${accountId}/audit?limit=${PAGE_SIZE}${before}`, signal);
    },
    initialPageParam: null,
    getNextPageParam: ({ before }: AuditPage): number | null => before,
  });
  return (
    <Panel title="Account audit" flush>
      <Loaded query={pages} heightClass="min-h-40">
        {({ pages: loaded }) => (
          <Table
            label="Audit"
            columns={COLUMNS}
            rows={loaded.flatMap(({ lines }) => lines)}
            keyOf={({ auditId }) => String(auditId)}
            empty={
              <EmptyList title="No changes yet">
                Changes of keys, positions and phases are listed here, each with person, time and
                address.
              </EmptyList>
            }
          />
        )}
      </Loaded>
      {pages.hasNextPage && (
        <div className="border-t border-line p-3 text-center">
          <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Load older entries
          </Button>
        </div>
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<AuditLine>[] = [
  {
    head: "Time (UTC)",
    cell: ({ atMs }) => <span className="whitespace-nowrap">{timeText(atMs)}</span>,
    phone: "title",
  },
  {
    head: "Person",
    cell: ({ by, role }) => (
      <>
        {by} <span className="text-muted">{role}</span>
      </>
    ),
    phone: "figure",
  },
  {
    head: "Action",
    cell: ({ deed, subject, accountId }) => (
      <>
        <span title={deed}>{actionText(deed)}</span>{" "}
        {subject !== null && subject !== accountId && (
          <code className="font-mono text-xs text-muted">{subject}</code>
        )}
      </>
    ),
    phone: "figure",
  },
  { head: "Details", cell: ({ detail }) => detail ?? "" },
  { head: "From", cell: ({ address }) => address, phone: "figure" },
  {
    head: "Result",
    cell: ({ succeeded }) =>
      succeeded ? <Badge kind="ok">done</Badge> : <Badge kind="danger">failed</Badge>,
    phone: "title",
  },
];
