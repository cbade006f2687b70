import type { SessionView } from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { ownPath } from "../../api/own-path.ts";
import { sessionQuery } from "../../api/session.ts";

interface SignedIn {
  /** Starts a session and clears the data that another person had loaded. */
  readonly enter: (session: SessionView) => void;
  /** Opens the requested page. The back button does not return to the sign-in. */
  readonly goOn: (next: string) => void;
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
  return { enter, goOn };
}
