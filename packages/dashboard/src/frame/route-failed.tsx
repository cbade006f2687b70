import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "../parts/button.tsx";
import { PageNotLoaded } from "./lazy-page.tsx";
import { isNewVersion } from "./served-entry.ts";

/** Shows why a page cannot be shown and what the person can do. The frame around it stays. */
export function RouteFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof PageNotLoaded) return <NotLoaded error={error} />;
  return (
    <Problem
      title="This page could not be shown"
      text={error instanceof Error ? error.message : "The reason is not known."}
    >
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </Problem>
  );
}

type Reason = "looking" | "away" | "newVersion" | "unknown";

const REASONS: Readonly<Record<Reason, string>> = {
  looking: "Loading the page again…",
  away: "The service cannot be reached. The page opens automatically when the service answers.",
  newVersion: "A new version of these pages is available. Reload to use it.",
  unknown:
    "The service did not deliver this page. Reload the page. If that does not help, contact your firm.",
};

const RETRY_MS = 2_000;

/** Loads the script of the page again and again, until the service answers. */
function NotLoaded({ error }: { readonly error: PageNotLoaded }) {
  const router = useRouter();
  const [reason, setReason] = useState<Reason>("looking");
  useEffect(() => {
    let isShown = true;
    let next: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const found = (await error.retry()) ? null : await reasonNow();
      if (!isShown) return;
      if (found === null) void router.invalidate();
      else setReason(found);
      if (found === "away") next = setTimeout(() => void look(), RETRY_MS);
    };
    void look();
    return () => {
      isShown = false;
      clearTimeout(next);
    };
  }, [error, router]);
  const tryNow = async (): Promise<void> => {
    if (await error.retry()) await router.invalidate();
  };
  return (
    <Problem title="This page could not be loaded" text={REASONS[reason]}>
      {reason === "away" || reason === "looking" ? (
        <Button onClick={() => void tryNow()}>Try again</Button>
      ) : (
        <Button onClick={() => location.reload()}>Reload</Button>
      )}
    </Problem>
  );
}

async function reasonNow(): Promise<Reason> {
  try {
    return (await isNewVersion()) ? "newVersion" : "unknown";
  } catch {
    return "away";
  }
}

function Problem({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: React.ReactNode;
}) {
  return (
    <div className="mx-auto max-w-prose p-8">
      <h1 className="text-lg font-semibold">{title}</h1>
      <p role="status" className="my-3">
        {text}
      </p>
      {children}
    </div>
  );
}

/** Shown for a URL without a page. */
export function RouteMissing() {
  return (
    <main className="mx-auto max-w-prose p-8">
      <h1 className="text-lg font-semibold">Page not found</h1>
      <p className="my-3">Check the address, or continue here:</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>
          <Link to="/" className="text-accent underline">
            Dashboard
          </Link>
        </li>
        <li>
          <a href="/docs" className="text-accent underline">
            Documentation
          </a>
        </li>
      </ul>
    </main>
  );
}
