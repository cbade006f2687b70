import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** What a query of any kind says of itself. */
interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Loading<Data>;
  /** How much room it takes while it is on its way, so that nothing jumps; a Tailwind height. */
  readonly room?: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a call answered; until then its room, and when it failed why and a way to try again. */
export function Loaded<Data>({ query, room = "min-h-40", children }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
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
