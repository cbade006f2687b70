import type { AccountChoice, SessionView } from "@propgate/contract";
import { queryOptions } from "@tanstack/react-query";
import { CallFailed, getData } from "./call.ts";

/** The session of the signed-in person; null when no person is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<SessionView | null> => {
    try {
      return await getData<SessionView>("session", signal);
    } catch (cause) {
      if (cause instanceof CallFailed && cause.status === 401) return null;
      throw cause;
    }
  },
  staleTime: 60_000,
});

/** The accounts that the signed-in person may see. */
export const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: ({ signal }) => getData<readonly AccountChoice[]>("accounts", signal),
});
