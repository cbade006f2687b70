import type { AccountStateView } from "@propgate/contract";
import { useNow } from "../clock.tsx";
import { agoText, clockText } from "../format/times.ts";
import { Notice } from "../parts/notice.tsx";
import { useAccountLive } from "./account-live.tsx";

/** What keeps the figures of the page from being those of now; nothing while they are. */
export function LiveNotice() {
  const { state, status, problem } = useAccountLive();
  return (
    <>
      {status === "lost" && <LostNotice state={state} problem={problem} />}
      {state !== null && state.account === null && <UnvaluedNotice state={state} />}
      {state?.account?.meta.stale === true && (
        <Notice kind="warn">
          Part of these figures are placeholders, because a source of the service did not answer.
          They mend themselves as soon as it does; do not trade on them until then.
        </Notice>
      )}
    </>
  );
}

function LostNotice({
  state,
  problem,
}: {
  readonly state: AccountStateView | null;
  readonly problem: string | null;
}) {
  const now = useNow();
  return (
    <Notice kind="danger">
      <strong className="font-semibold">Not connected.</strong> {problem}{" "}
      {state === null
        ? "Nothing has been received yet."
        : `What is shown is of ${clockText(state.generatedAtMs)} UTC, ${agoText(state.generatedAtMs, now)}.`}{" "}
      These pages go on trying; your stops and targets stand with the service either way.
    </Notice>
  );
}

function UnvaluedNotice({ state }: { readonly state: AccountStateView }) {
  const unvalued = state.positions
    .filter(({ unrealizedPnl }) => unrealizedPnl === null)
    .map(({ tradePair }) => tradePair);
  const pairs = [...new Set(unvalued)].join(", ");
  return (
    <Notice kind="warn">
      <strong className="font-semibold">What is open cannot be valued.</strong>{" "}
      {pairs === ""
        ? "A rate that its value needs has no price yet."
        : `There is no price yet for ${pairs}.`}{" "}
      Equity, limits and buying power are unknown until there is one; the API answers 503 meanwhile.
    </Notice>
  );
}
