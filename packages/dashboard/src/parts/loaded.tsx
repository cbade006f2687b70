import type { ReactNode } from "react";
import { isNotOffered } from "../api/call.ts";
import { useTimeSince } from "../clock.tsx";
import { agoText } from "../format/times.ts";
import { Button } from "./button.tsx";
import { EmptyList } from "./notice.tsx";

/** The parts of a query's result that `Loaded` uses. */
interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** When the data were loaded, by the browser's clock. Absent when that is unknown. */
  readonly dataUpdatedAt?: number;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Loading<Data>;
  /** The Tailwind class of the height while the data are loading. It keeps the page from jumping. */
  readonly heightClass?: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows the data of a query: a placeholder while it is loading, and an error with a button that tries again. When newer
 * data cannot be loaded, the older data stay and are marked as old. When the account's network does not have the data,
 * the reason is shown instead of an error.
 */
export function Loaded<Data>({ query, heightClass = "min-h-40", children }: LoadedProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error !== null && <NotRenewed {...query} error={query.error} />}
        {children(query.data)}
      </>
    );
  }
  if (isNotOffered(query.error)) {
    return <EmptyList title="Not available for this account">{query.error.message}.</EmptyList>;
  }
  if (query.error !== null) {
    return (
      <div
        className={`flex flex-col items-center justify-center gap-3 p-6 text-center ${heightClass}`}
      >
        <p role="alert">{query.error.message}</p>
        <Button onClick={() => query.refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <output className={`block motion-safe:animate-pulse ${heightClass}`} aria-label="Loading" />
  );
}

/** Warns that the data below are not the newest, and how old they are. */
function NotRenewed({
  error,
  dataUpdatedAt,
  refetch,
}: Pick<Loading<unknown>, "dataUpdatedAt" | "refetch"> & { readonly error: Error }) {
  return (
    <div
      data-not-renewed
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2 text-warn"
    >
      <span>
        <span role="status">Not up to date: {error.message}</span>
        {dataUpdatedAt !== undefined && <Age loadedAtMs={dataUpdatedAt} />}
      </span>
      <Button onClick={() => refetch()}>Try again</Button>
    </div>
  );
}

function Age({ loadedAtMs }: { readonly loadedAtMs: number }) {
  return <span className="figure"> Loaded {agoText(0, useTimeSince(loadedAtMs))}.</span>;
}
