import type { KeyLine } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { getData } from "../../api/call.ts";
import { sessionQuery } from "../../api/session.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { KeyTable } from "./key-table.tsx";
import { NewKey } from "./new-key.tsx";

/** The counts of reads and rejections change without a journal line, so the keys are loaded again after this time. */
const REFRESH_EVERY_MS = 5_000;

/** The keys of the account and its audit, with the form for a new key when the person is an owner. */
export function KeysPage() {
  const { accountId } = useAccountLive();
  const { data: session } = useQuery(sessionQuery);
  const isOwner = session?.person.role === "owner";
  const keys = useQuery({
    queryKey: ["account", accountId, "keys"],
    queryFn: ({ signal }) => getData<readonly KeyLine[]>(`accounts/${accountId}/keys`, signal),
    refetchInterval: REFRESH_EVERY_MS,
  });
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">API keys</h1>
      {session?.person.role === "operator" && <OperatorNotice accountId={accountId} />}
      {isOwner && session !== null && <NewKey accountId={accountId} session={session} />}
      <Panel title="Keys" flush>
        <Loaded query={keys} heightClass="min-h-40">
          {(lines) => <KeyTable accountId={accountId} keys={lines} canRevoke={isOwner} />}
        </Loaded>
      </Panel>
      <AuditPanel accountId={accountId} />
    </div>
  );
}

function OperatorNotice({ accountId }: { readonly accountId: string }) {
  return (
    <Notice kind="info">
      <p className="mb-3">
        You see this page as an operator. Only the account's owner can create and revoke keys here.
        To do it for the owner, run
      </p>
      <Snippet
        label="Commands for this account's keys"
        text={[
          `npm run propgate -- operator keys create --account ${accountId} --label NAME`,
          "npm run propgate -- operator keys revoke KEY_ID",
        ].join("\n")}
      />
    </Notice>
  );
}
