import type { SessionView } from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { sessionQuery } from "../../api/session.ts";

interface SignedIn {
  /** Takes over a session; what somebody else had loaded here is forgotten. */
  readonly enter: (session: SessionView) => void;
  /** On to where somebody wanted to go; back does not lead to the sign-in again. */
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
  const goOn = useCallback((next: string) => router.history.replace(next), [router]);
  return { enter, goOn };
}
