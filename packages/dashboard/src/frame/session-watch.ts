import type { SessionView } from "@propgate/contract";
import type { QueryClient } from "@tanstack/react-query";
import { CallFailed } from "../api/call.ts";
import { sessionQuery } from "../api/session.ts";

/**
 * The current session; null when no person is signed in. A known session is returned immediately and checked in the
 * background, so that a click does not wait for the service or fail while it is down.
 */
export async function currentSession(queries: QueryClient): Promise<SessionView | null> {
  const known = queries.getQueryData(sessionQuery.queryKey) ?? null;
  if (known === null) return queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
  void queries.prefetchQuery(sessionQuery);
  return known;
}

/**
 * Calls `onEnded` when a known session has ended, whichever call has noticed it. After a rejected change the session is
 * only checked again, because a 401 may also mean a wrong password.
 */
export function watchSession(queries: QueryClient, onEnded: () => void): void {
  const isSession = (key: readonly unknown[]): boolean => key[0] === sessionQuery.queryKey[0];
  let wasKnown = false;
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated" || !isSession(query.queryKey)) return;
    const isKnown = query.state.data !== null && query.state.data !== undefined;
    if (wasKnown && query.state.data === null) onEnded();
    wasKnown = isKnown;
  });
  queries.getMutationCache().subscribe((event) => {
    const error = event.mutation?.state.error;
    if (event.type !== "updated" || event.action.type !== "error") return;
    if (!(error instanceof CallFailed) || error.status !== 401) return;
    void queries.prefetchQuery({ ...sessionQuery, staleTime: 0 });
  });
}
