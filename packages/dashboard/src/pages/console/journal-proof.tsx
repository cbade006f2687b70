import type { JournalProofView } from "@propgate/contract";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { writeOperator } from "../../api/operator.ts";
import { plainText } from "../../format/numbers.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Table } from "../../parts/table.tsx";
import { ActionFailure } from "./action-dialog.tsx";

/** Verifies the hash chains of all accounts' journals, when the person starts it. */
export function JournalProof() {
  const proof = useMutation({
    mutationFn: () => writeOperator("journal.verify", { body: {} }),
  });
  return (
    <Panel
      title="Journals of all accounts"
      aside={
        <Button disabled={proof.isPending} onClick={() => proof.mutate()}>
          {proof.isPending ? "Verifying…" : "Verify all"}
        </Button>
      }
    >
      <div className="min-h-12">
        <ActionFailure error={proof.error} />
        {proof.data === undefined ? (
          <p className="text-muted">
            Every line has a hash over all lines before it. Verification computes the hashes again,
            so a changed, added or removed line is detected.
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
    return <Notice kind="ok">{counted} are unchanged.</Notice>;
  }
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="danger">
        Of {counted} some were changed. Stop the service, keep the database as it is, and compare it
        with a backup.
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
