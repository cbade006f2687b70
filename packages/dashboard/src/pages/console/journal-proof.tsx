import type { JournalProofView } from "@propgate/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { write } from "../../api/call.ts";
import { plainText } from "../../format/numbers.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Table } from "../../parts/table.tsx";
import { DeedFailure } from "./deed.tsx";

/** Computes every account's chain of hashes again. */
export function JournalProof() {
  const proof = useMutation({
    mutationFn: () => write<JournalProofView>("operator/journal/verify"),
  });
  return (
    <Panel
      title="Journals of all accounts"
      aside={
        <Button disabled={proof.isPending} onClick={() => proof.mutate()}>
          {proof.isPending ? "Reading every line" : "Verify all"}
        </Button>
      }
    >
      <div className="min-h-12">
        <DeedFailure error={proof.error} />
        {proof.data === undefined ? (
          <p className="text-muted">
            Every line carries a hash over all lines before it. Verifying computes them again: a
            line that was changed, added or taken out shows.
          </p>
        ) : (
          <Result proof={proof.data} />
        )}
      </div>
    </Panel>
  );
}

function Result({ proof }: { readonly proof: JournalProofView }) {
  const counted = `${plainText(proof.events)} lines of ${plainText(proof.accounts)} accounts`;
  if (proof.broken.length === 0) {
    return <Notice kind="ok">{counted} are as they were written.</Notice>;
  }
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="danger">
        Of {counted} some are not as they were written. Stop the service, keep the database as it
        is, and compare with a backup.
      </Notice>
      <Table
        label="Broken lines"
        rows={proof.broken}
        keyOf={({ accountId, sequence }) => `${accountId} ${sequence}`}
        empty={null}
        columns={[
          {
            head: "Account",
            phone: "title",
            cell: ({ accountId }) => (
              <Link
                to="/a/$accountId/journal"
                params={{ accountId }}
                className="text-accent underline"
              >
                {accountId}
              </Link>
            ),
          },
          { head: "Line", right: true, phone: "figure", cell: ({ sequence }) => sequence },
          { head: "Problem", phone: "figure", cell: ({ problem }) => problem },
        ]}
      />
    </div>
  );
}
