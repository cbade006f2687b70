import type { ReactNode } from "react";
import { isNotOffered } from "../api/call.ts";
import { Button } from "./button.tsx";
import { Empty } from "./notice.tsx";

/** The common part of all query results. */
interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Loading<Data>;
  /** The height while loading, so that the page does not jump; a Tailwind class. */
  readonly room?: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows a query's data, a placeholder while loading, or its error with a retry button. When the account's network does
 * not have the data, it shows the reason and no error.
 */
export function Loaded<Data>({ query, room = "min-h-40", children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (isNotOffered(query.error)) {
    return <Empty title="Not available for this account">{query.error.message}.</Empty>;
  }
  if (query.error !== null) {
    return (
      <div className={`flex flex-col items-center justify-center gap-3 p-6 text-center ${room}`}>
        <p role="alert">{query.error.message}</p>
        <Button onClick={() => query.refetch()}>Try again</Button>
      </div>
    );
  }
  return <output className={`block motion-safe:animate-pulse ${room}`} aria-label="Loading" />;
}
