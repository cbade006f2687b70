import type { Account, Linked } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { moneyText, plainText } from "../../format/numbers.ts";
import { countdownText, timeText } from "../../format/times.ts";
import { LiveNotice } from "../../live/live-notice.tsx";
import { Notice } from "../../parts/notice.tsx";

/** The notices above the account's figures: about unknown or old figures, the phase, and an armed dead man's switch. */
export function Banners({ account }: { readonly account: Account<Linked> | null }) {
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      <LiveNotice />
      {account !== null && <PhaseNotice account={account} />}
      {account !== null && account.cancelAllAfter !== null && (
        <SwitchNotice armed={account.cancelAllAfter} />
      )}
    </div>
  );
}

/** Explains what the phase of the account means for its trader. Empty for a phase without an explanation. */
function PhaseNotice({ account }: { readonly account: Account<Linked> }) {
  if (account.evaluation.status === "provisioning") {
    return (
      <Notice kind="info">
        <strong className="font-semibold">Not ready yet.</strong> Your firm has opened this account
        but not yet released it. You can read it. Orders are rejected with 403 until then. You do
        not need to do anything.
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
          {moneyText(account.evaluation.effectiveAccountSizeNumeric)} USD. The account becomes a
          funded pro account when all four objectives are met at the same 00:00 UTC. The pro track
          page shows the progress of each.
        </Notice>
      );
    case "SUBACCOUNT_FUNDED":
      return account.account.isPassed === true ? (
        <Notice kind="ok">
          <strong className="font-semibold">Passed: this account is funded.</strong> Profit above
          the highest of all earlier weeks is paid weekly. The payouts page shows the estimate for
          this week.
        </Notice>
      ) : null;
    case "SUBACCOUNT_ALPHA":
    case "SUBACCOUNT_CHALLENGE":
    case "PRO_FUNDED":
    case "ELIMINATED":
    case "unknown":
      return null;
  }
}

/** Shows when the armed dead man's switch will act, and whether it will also close all positions. */
function SwitchNotice({
  armed,
}: {
  readonly armed: NonNullable<Account<Linked>["cancelAllAfter"]>;
}) {
  const now = useNow();
  const also = armed.action === "flatten" ? " and all positions closed" : "";
  return (
    <Notice kind="notice">
      <strong className="font-semibold">Dead man's switch armed.</strong>{" "}
      {`All orders are cancelled${also} at ${untilText(armed.atMs, now)} unless the program that armed it reports before.`}
    </Notice>
  );
}

function TransitionNotice({ account }: { readonly account: Account<Linked> }) {
  const now = useNow();
  const endsAtMs = account.proTrack?.transitionEndsAtMs ?? null;
  const size = account.proTrack?.proAccountSize ?? null;
  return (
    <Notice kind="notice">
      <strong className="font-semibold">Transition to the pro track.</strong> Until{" "}
      {untilText(endsAtMs, now)} only orders that reduce or close a position are accepted. Then the
      remaining positions are closed and the pro challenge begins
      {size === null ? "" : ` with ${plainText(size)} USD`}.
    </Notice>
  );
}

function untilText(endsAtMs: number | null, nowMs: number): string {
  const end = `${timeText(endsAtMs)} UTC`;
  return endsAtMs === null ? end : `${end}, in ${countdownText(endsAtMs, nowMs)},`;
}
