import { useNow } from "../clock.tsx";
import { clockText } from "../format/times.ts";
import { type LiveStatus, useAccountLive } from "../live/account-live.tsx";

const DOTS: Readonly<Record<LiveStatus, string>> = {
  connecting: "bg-muted",
  live: "bg-ok",
  polling: "bg-notice",
  lost: "bg-danger",
};

/** How live the page is, the account's version (the journal's newest line) and the time, UTC. */
export function LiveLine() {
  const { state, status } = useAccountLive();
  const now = useNow();
  return (
    <p className="figure flex items-center gap-2 text-xs text-muted">
      <span className={`inline-block size-2 rounded-full ${DOTS[status]}`} aria-hidden="true" />
      <span data-live={status}>{status}</span>
      <span title="Version of the account: number of the newest line of its journal">
        · v<span data-version>{state?.version ?? "--"}</span>
      </span>
      <span className="max-sm:hidden">· {clockText(now)} UTC</span>
    </p>
  );
}
