import type { JournalEntry, JournalPage } from "@propgate/contract";
import { type UseMutationResult, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getData } from "../../api/call.ts";
import { addPage, NOTHING_KNOWN } from "./known-journal.ts";

const PAGE_SIZE = 50;

interface Journal {
  readonly entries: {
    readonly data: readonly JournalEntry[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Loads older entries; null when all entries are loaded. */
  readonly more: UseMutationResult<unknown, Error, void> | null;
}

/**
 * The loaded entries of a journal. The newest ones are loaded again after every change of the account, older ones once,
 * on demand.
 */
export function useJournal(accountId: string): Journal {
  const [known, setKnown] = useState(NOTHING_KNOWN);
  const [taken, setTaken] = useState<JournalPage | null>(null);
  const newest = useQuery({
    queryKey: ["account", accountId, "journal"],
    queryFn: ({ signal }) =>
      getData<JournalPage>(`accounts/${accountId}/journal?limit=${PAGE_SIZE}`, signal),
  });
  if (newest.data !== undefined && newest.data !== taken) {
    setTaken(newest.data);
    setKnown(addPage(known, newest.data));
  }
  const older = useMutation<JournalPage>({
    mutationFn: () =>
      getData(`accounts/${accountId}/journal?before=${known.before ?? ""}&limit=${PAGE_SIZE}`),
    onSuccess: (page) => setKnown((now) => addPage(now, page)),
  });
  return {
    entries: {
      data: newest.data === undefined ? undefined : known.entries,
      error: newest.error,
      refetch: newest.refetch,
    },
    more: known.before === null ? null : older,
  };
}
