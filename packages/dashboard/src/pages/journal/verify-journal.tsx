import type { JournalCheck } from "@propgate/contract";
import { useMutation } from "@tanstack/react-query";
import { write } from "../../api/call.ts";
import { plainText } from "../../format/numbers.ts";
import { Button } from "../../parts/button.tsx";

/** Computes the whole chain again, where it is kept, and says whether it still holds. */
export function VerifyJournal({ accountId }: { readonly accountId: string }) {
  const check = useMutation({
    mutationFn: () => write<JournalCheck>(`accounts/${accountId}/journal/verify`),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-box border border-line bg-panel px-4 py-3">
      <div className="min-w-0 flex-1 basis-80">
        <p className="text-muted">
          Every line carries a hash of itself and of all lines before it: one that was changed or
          taken out later shows.
        </p>
        <div aria-live="polite" className="mt-1 min-h-5">
          {check.isError && <span className="text-danger">{check.error.message}</span>}
          {check.isPending && "Computing every hash again."}
          {check.isSuccess && <Result check={check.data} />}
        </div>
      </div>
      <Button kind="primary" disabled={check.isPending} onClick={() => check.mutate()}>
        Verify the whole journal
      </Button>
    </div>
  );
}

function Result({ check: { events, broken } }: { readonly check: JournalCheck }) {
  if (broken === null) {
    return (
      <span className="text-ok" data-journal="whole">
        ✓ The chain is whole: all {plainText(events)} events are as they were written.
      </span>
    );
  }
  return (
    <span className="text-danger" data-journal="broken">
      ✗ The chain is broken at line {broken.sequence}: {broken.problem}. Everything from there on is
      in doubt; tell whoever runs this service before you rely on it.
    </span>
  );
}
