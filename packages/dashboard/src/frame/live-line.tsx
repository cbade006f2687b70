import { useNow } from "../clock.tsx";
import { agoText, clockText } from "../format/times.ts";
import { isOutdated, type LiveStatus, useAccountLive } from "../live/account-live.tsx";

const DOTS: Readonly<Record<LiveStatus, string>> = {
  connecting: "bg-muted",
  live: "bg-ok",
  polling: "bg-notice",
  reconnecting: "bg-warn",
  lost: "bg-danger",
  missing: "bg-danger",
};

/** The words that screen readers announce when the state of the connection changes. */
const ANNOUNCED: Readonly<Record<LiveStatus, string>> = {
  connecting: "",
  live: "Connected",
  polling: "Connected, updated every few seconds",
  reconnecting: "Reconnecting",
  lost: "Not connected: the figures are out of date",
  missing: "Account not found",
};

/**
 * The state of the connection, the account's version and the service's time in UTC. While the figures are out of date,
 * their time and age are shown instead of the service's time.
 */
export function LiveLine() {
  const { state, status } = useAccountLive();
  const now = useNow();
  return (
    <div className="figure flex flex-wrap items-center gap-x-2 text-xs text-muted">
      <span className={`inline-block size-2 rounded-full ${DOTS[status]}`} aria-hidden="true" />
      <span data-live={status} aria-hidden="true">
        {status === "lost" ? "not connected" : status}
      </span>
      <output aria-live="polite" className="sr-only">
        {ANNOUNCED[status]}
      </output>
      <span title="Account version: number of the newest journal line">
        {"\u00B7"} v<span data-version>{state?.version ?? "--"}</span>
      </span>
      {isOutdated(status) && state !== null ? (
        <span className="text-warn">
          {"\u00B7"} figures of {clockText(state.generatedAtMs)} UTC,{" "}
          {agoText(state.generatedAtMs, now)}
        </span>
      ) : (
        <span className="max-sm:hidden">
          {"\u00B7"} {clockText(now)} UTC
        </span>
      )}
    </div>
  );
}
