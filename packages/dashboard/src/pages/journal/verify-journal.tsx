import type { JournalCheck } from "@propgate/contract";
import { useMutation } from "@tanstack/react-query";
import { postData } from "../../api/call.ts";
import { plainText } from "../../format/numbers.ts";
import { Button } from "../../parts/button.tsx";
import { ProofRow } from "./proof-row.tsx";

/** Makes the service compute the whole hash chain again, and shows the result. */
export function VerifyJournal({ accountId }: { readonly accountId: string }) {
  const check = useMutation({
    mutationFn: () => postData<JournalCheck>(`accounts/${accountId}/journal/verify`),
  });
  return (
    <ProofRow
      text="Every line has a hash over itself and all lines before it. So a changed or removed line is detected."
      action={
        <Button kind="primary" disabled={check.isPending} onClick={() => check.mutate()}>
          Verify journal
        </Button>
      }
    >
      <div aria-live="polite" className="mt-1 min-h-5">
        {check.isError && <span className="text-danger">{check.error.message}</span>}
        {check.isPending && "Computing every hash again…"}
        {check.isSuccess && <Result check={check.data} />}
      </div>
    </ProofRow>
  );
}

function Result({ check: { events, broken } }: { readonly check: JournalCheck }) {
  if (broken === null) {
    return (
      <span className="text-ok" data-journal="whole">
        ✓ The chain is intact: all {plainText(events)} events are unchanged.
      </span>
    );
  }
  return (
    <span className="text-danger" data-journal="broken">
      ✗ The chain is broken at line {broken.sequence}: {broken.problem}. Do not rely on this line or
      any later one. Contact the operator of this service.
    </span>
  );
}
