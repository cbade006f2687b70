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
 * Calls `onEnded` when a known session has ended, whichever call finds that out. Calls `onOther` when another person
 * has signed in, in another tab of this browser. After a rejected change the session is only checked again, because a
 * 401 may also mean a wrong password.
 */
export function watchSession(
  queries: QueryClient,
  { onEnded, onOther }: { readonly onEnded: () => void; readonly onOther: () => void },
): void {
  let knownId: string | null = null;
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
    // A sign-in in this tab removes the old session from the cache first, so the new person does not count as another
    // one.
    if (type === "removed") knownId = null;
    if (type !== "updated") return;
    const { data } = query.state as { readonly data: SessionView | null | undefined };
    const id = data?.person.personId ?? null;
    if (knownId !== null && data === null) onEnded();
    if (knownId !== null && id !== null && id !== knownId) onOther();
    knownId = id;
  });
  queries.getMutationCache().subscribe((event) => {
    const error = event.mutation?.state.error;
    if (event.type !== "updated" || event.action.type !== "error") return;
    if (!(error instanceof CallFailed) || error.status !== 401) return;
    void queries.prefetchQuery({ ...sessionQuery, staleTime: 0 });
  });
}
