import { Link } from "@tanstack/react-router";
import { Button } from "../parts/button.tsx";

/** A page that could not be drawn: why, and what to do. */
export function RouteFailed({ error }: { readonly error: unknown }) {
  return (
    <main className="mx-auto max-w-prose p-8">
      <h1 className="text-lg font-semibold">This page could not be shown</h1>
      <p role="alert" className="my-3">
        {error instanceof Error ? error.message : "The reason is not known."}
      </p>
      <Button onClick={() => location.reload()}>Load it again</Button>
    </main>
  );
}

export function RouteMissing() {
  return (
    <main className="mx-auto max-w-prose p-8">
      <h1 className="text-lg font-semibold">There is no such page</h1>
      <p className="my-3">
        <Link to="/" className="text-accent underline">
          To the start
        </Link>
      </p>
    </main>
  );
}
