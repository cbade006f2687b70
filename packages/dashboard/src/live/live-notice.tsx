import type { AccountStateView } from "@propgate/contract";
import { useNow } from "../clock.tsx";
import { agoText, clockText } from "../format/times.ts";
import { Notice } from "../parts/notice.tsx";
import { useAccountLive } from "./account-live.tsx";

/**
 * Warns while figures are unknown because a price is missing, and while `meta.stale` is true, because figures are then
 * placeholders or old.
 */
export function LiveNotice() {
  const { state } = useAccountLive();
  return (
    <>
      {state !== null && state.account === null && <UnvaluedNotice state={state} />}
      {state?.account?.meta.stale === true && (
        <Notice kind="warn">
          {state.network === "vanta"
            ? "The validator did not answer, or left out figures. These figures are of its last answer. Do not trade on them until this notice is gone."
            : "Some of these figures are placeholders, because a part of the service did not answer. They are replaced when it does. Do not trade on them until then."}
        </Notice>
      )}
    </>
  );
}

/**
 * Warns that no new figures arrive, and shows how old the present ones are. Empty in every other case, also while the
 * page reconnects without a failed call.
 */
export function ConnectionNotice() {
  const { state, status, problem } = useAccountLive();
  if (status !== "lost") return null;
  return (
    // The header has announced the change of state once. The age changes every second and is not announced.
    <Notice kind="danger" isSilent>
      <strong className="font-semibold">Not connected.</strong> {problem}{" "}
      {state === null ? "No figures have been received yet." : <Age atMs={state.generatedAtMs} />}{" "}
      The page reconnects automatically. Your stops and targets stay active while the service runs.
    </Notice>
  );
}

/** Shows that the account was closed; empty for any other account. */
export function ClosedNotice() {
  const { state } = useAccountLive();
  if (state?.isClosed !== true) return null;
  return (
    <Notice kind="info">
      <strong className="font-semibold">This account is closed.</strong> It takes no more orders,
      and its figures are those of its end.
      {state.network === "vanta" ? "" : " Its payouts stay readable."}
    </Notice>
  );
}

function Age({ atMs }: { readonly atMs: number }) {
  return (
    <span className="figure" data-age>
      All figures are of {clockText(atMs)} UTC, {agoText(atMs, useNow())}.
    </span>
  );
}

function UnvaluedNotice({ state }: { readonly state: AccountStateView }) {
  const unvalued = state.positions
    .filter(({ unrealizedPnl }) => unrealizedPnl === null)
    .map(({ tradePair }) => tradePair);
  const pairs = [...new Set(unvalued)].join(", ");
  return (
    <Notice kind="warn">
      <strong className="font-semibold">The open positions cannot be valued.</strong>{" "}
      {pairs === "" ? "A conversion rate has no price yet." : `There is no price yet for ${pairs}.`}{" "}
      Equity, limits and buying power are unknown until there is a price. The API answers 503 until
      then.
    </Notice>
  );
}
