import { Button } from "../../parts/button.tsx";

interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** The number of items shown. */
  readonly shown: number;
  readonly name: string;
}

/** How many items are shown, and a button that loads the next page. */
export function MoreItems({ query, shown, name }: MoreProps) {
  if (shown === 0) return null;
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 px-4 py-2 text-xs text-muted">
      <span className="figure">
        {name}: {query.hasNextPage ? `the first ${shown}` : `${shown} in all`}
      </span>
      {query.hasNextPage && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
      )}
    </div>
  );
}
