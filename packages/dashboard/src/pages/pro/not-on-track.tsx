import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessionQuery } from "../../api/session.ts";
import { Panel } from "../../parts/panel.tsx";

/** Explains the pro track, and how an account can join it. */
export function NotOnTrack({
  accountId,
  isOver,
}: {
  readonly accountId: string;
  readonly isOver: boolean;
}) {
  return (
    <div className="mx-auto max-w-3xl">
      <Panel title="This account is not on the pro track">
        <div className="flex flex-col gap-4">
          <p>
            A pro account has a different size and trades all markets with more leverage. It has a
            daily loss limit and a limit below its end-of-day high-water mark. It is funded when
            four objectives are met at the same midnight: return, Calmar ratio, consistency and full
            trading days. This page shows them day by day, from the first trade.
          </p>
          {isOver ? (
            <p>This account has ended, so it cannot get a pro account.</p>
          ) : (
            <HowTo accountId={accountId} />
          )}
        </div>
      </Panel>
    </div>
  );
}

function HowTo({ accountId }: { readonly accountId: string }) {
  const role = useQuery(sessionQuery).data?.person.role;
  return (
    <>
      <ul className="list-disc space-y-1 pl-5">
        <li>
          During an evaluation, all positions are closed and the pro challenge starts immediately.
        </li>
        <li>
          A funded account winds down until the next Monday, then its pro challenge starts. Its
          profit is still paid, scaled to the size.
        </li>
      </ul>
      {role === "operator" ? (
        <p>
          Offer it on the page{" "}
          <Link to="/console/accounts" search={{ q: accountId }} className="text-accent underline">
            Accounts
          </Link>{" "}
          of the console.
        </p>
      ) : (
        <p>Ask your firm for it.</p>
      )}
    </>
  );
}
