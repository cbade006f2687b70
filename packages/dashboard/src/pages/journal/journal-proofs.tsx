import { DASHBOARD_PREFIX, JOURNAL_EXPORT } from "@propgate/contract";
import { JudgeAgain } from "./judge/judge-again.tsx";
import { ProofRow } from "./proof-row.tsx";
import { VerifyJournal } from "./verify-journal.tsx";

/** The proofs that a journal was neither changed nor decided wrongly, and the link to its file. */
export function JournalProofs({ accountId }: { readonly accountId: string }) {
  return (
    <section
      aria-label="Proofs"
      className="divide-y divide-line rounded-box border border-line bg-panel"
    >
      <VerifyJournal accountId={accountId} />
      <JudgeAgain accountId={accountId} />
      <ProofRow
        text={
          <>
            The journal as a file. <code className="font-mono text-xs">propgate rejudge FILE</code>{" "}
            judges it on any computer, without this service.
          </>
        }
        action={
          <a
            href={`${DASHBOARD_PREFIX}/accounts/${accountId}/${JOURNAL_EXPORT}`}
            download
            className="inline-flex min-h-8 items-center justify-center rounded-box border border-line bg-panel px-3 py-1 font-medium whitespace-nowrap text-text no-underline hover:bg-raised max-sm:min-h-[44px]"
          >
            Download journal
          </a>
        }
      />
    </section>
  );
}
