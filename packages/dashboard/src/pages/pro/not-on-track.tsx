import type { Account } from "@propgate/contract";
import { Snippet } from "../../parts/copy.tsx";
import { Panel } from "../../parts/panel.tsx";

/** What the pro track is, and how an account gets there. */
export function NotOnTrack({ account }: { readonly account: Account }) {
  const { accountId, evaluation } = account;
  return (
    <div className="mx-auto max-w-3xl">
      <Panel title="This account is not on the pro track">
        <div className="flex flex-col gap-4">
          <p>
            A pro account is of another size, trades all markets with more leverage, and is held to
            a daily loss limit and to one below its end-of-day high-water mark. It is funded once
            four objectives are met together at a midnight: return, Calmar ratio, consistency and
            full trading days. They are shown here, day by day, from its first trade on.
          </p>
          {evaluation.isEliminated ? (
            <p>This account has ended, so it cannot be offered one.</p>
          ) : (
            <HowTo accountId={accountId} />
          )}
        </div>
      </Panel>
    </div>
  );
}

function HowTo({ accountId }: { readonly accountId: string }) {
  return (
    <>
      <ul className="list-disc space-y-1 pl-5">
        <li>From an evaluation everything is closed, and the pro challenge starts at once.</li>
        <li>
          A funded account winds down until the Monday that follows; then its pro challenge starts,
          and its profit goes on being paid, scaled to the size.
        </li>
      </ul>
      <p>Your firm offers it. Whoever runs this service does it with</p>
      <Snippet
        label="Command that offers a pro account"
        text={`npm run propgate -- operator account offer-pro ${accountId} --size 200000`}
      />
    </>
  );
}
