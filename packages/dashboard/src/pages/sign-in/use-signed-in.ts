import type { SessionView } from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { ownPath } from "../../api/own-path.ts";
import { sessionQuery } from "../../api/session.ts";

interface SignedIn {
  /** Begins a session, and clears the data that were loaded for another person. */
  readonly enter: (session: SessionView) => void;
  /** Opens a page and replaces the sign-in page in the history, so that the back button does not return to it. */
  readonly openPage: (next: string) => void;
}

export function useSignedIn(): SignedIn {
  const queries = useQueryClient();
  const router = useRouter();
  const enter = useCallback(
    (session: SessionView) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
    },
    [queries],
  );
  const goOn = useCallback(
    (next: string) => router.history.replace(ownPath(next, location.origin) ?? "/"),
    [router],
  );
  return { enter, openPage: goOn };
}
