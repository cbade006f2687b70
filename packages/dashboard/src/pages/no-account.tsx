import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../api/session.ts";
import { Frame } from "../frame/frame.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { EmptyList } from "../parts/notice.tsx";

/** The page of an owner without an account: it shows the owner's id, which the firm needs to open one. */
export function NoAccountPage() {
  const session = useQuery(sessionQuery).data ?? null;
  const owner = session?.person.ownerId ?? "";
  return (
    <Frame session={session} pages={[]}>
      <EmptyList title="No account yet">
        <p className="mb-3">Your firm opens accounts for you. Send it your owner id:</p>
        <p className="flex flex-wrap items-center justify-center gap-2">
          <span className="font-mono text-text wrap-anywhere">{owner}</span>
          <CopyButton text={owner} small />
        </p>
      </EmptyList>
    </Frame>
  );
}
