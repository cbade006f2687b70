import { QueryCache, QueryClient } from "@tanstack/react-query";
import { CallFailed } from "./call.ts";

/**
 * The client of all queries. It repeats a query only after an error that may pass, and calls `onSignedOut` when the
 * session has ended.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (cause) => {
        if (cause instanceof CallFailed && cause.status === 401) onSignedOut();
      },
    }),
    // By default a call waits while the browser is offline, and is made later. A person would not expect that of "Close
    // all positions", and a service on the same machine answers even then.
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        retry: (failures, cause) => failures < 2 && isTemporary(cause),
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

function isTemporary(cause: unknown): boolean {
  return cause instanceof CallFailed && (cause.status === 0 || cause.status >= 500);
}
