import type { Account } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { moneyText, plainText } from "../../format/numbers.ts";
import { countdownText, timeText } from "../../format/times.ts";
import { LiveNotice } from "../../live/live-notice.tsx";
import { Notice } from "../../parts/notice.tsx";

/** What a reader should know before any figure. */
export function Banners({ account }: { readonly account: Account | null }) {
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      <LiveNotice />
      {account !== null && <PhaseNotice account={account} />}
    </div>
  );
}

/** Where the account stands, when that changes what may be done with it. */
function PhaseNotice({ account }: { readonly account: Account }) {
  if (account.evaluation.status === "provisioning") {
    return (
      <Notice kind="info">
        <strong className="font-semibold">Not ready yet.</strong> Your firm has opened this account
        but not released it. Reading works; orders are refused with 403 until it is released. There
        is nothing for you to do.
      </Notice>
    );
  }
  switch (account.challenge.bucket) {
    case "PRO_CHALLENGE_TRANSITION":
      return <TransitionNotice account={account} />;
    case "PRO_CHALLENGE_DIRECT":
    case "PRO_CHALLENGE_FROM_STANDARD":
      return (
        <Notice kind="info">
          <strong className="font-semibold">Pro challenge.</strong> Positions and limits run on{" "}
          {moneyText(account.evaluation.effectiveAccountSizeNumeric)} USD. Four objectives, met
          together at a 00:00 UTC, make it a funded pro account; the pro track page shows how far
          each of them is.
        </Notice>
      );
    case "SUBACCOUNT_FUNDED":
      return account.account.isPassed ? (
        <Notice kind="ok">
          <strong className="font-semibold">Passed: this account is funded.</strong> Profit beyond
          the highest of any week before is paid by the week; the payouts page shows what this one
          comes to.
        </Notice>
      ) : null;
    case "SUBACCOUNT_CHALLENGE":
    case "PRO_FUNDED":
    case "ELIMINATED":
      return null;
  }
}

function TransitionNotice({ account }: { readonly account: Account }) {
  const now = useNow();
  const endsAtMs = account.proTrack?.transitionEndsAtMs ?? null;
  const size = account.proTrack?.proAccountSize ?? null;
  return (
    <Notice kind="notice">
      <strong className="font-semibold">On the way to the pro track.</strong> Until{" "}
      {timeText(endsAtMs)} UTC
      {endsAtMs === null ? "" : `, in ${countdownText(endsAtMs, now)},`} only orders that reduce or
      close a position are carried out. Then what is still open is closed and the pro challenge
      begins{size === null ? "" : ` with ${plainText(size)} USD`}.
    </Notice>
  );
}
