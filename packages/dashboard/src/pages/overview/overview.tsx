import type { Account, AccountStateView, Linked } from "@propgate/contract";
import { useAccountLive } from "../../live/account-live.tsx";
import { hasEnded } from "../../live/near-limit.ts";
import { Banners } from "./banners.tsx";
import { Calendar } from "./calendar.tsx";
import { Eliminated } from "./eliminated.tsx";
import { EquityPanel } from "./equity-panel.tsx";
import { Capital, Performance } from "./figures.tsx";
import { Limits } from "./limits.tsx";
import { PricePanel } from "./price-panel.tsx";
import { Tiles } from "./tiles.tsx";
import { UpcomingTimes } from "./upcoming-times.tsx";

/** The main figures of the account, its limits, and the effects of the next midnight and Monday. */
export function OverviewPage() {
  const { accountId, state } = useAccountLive();
  const account = state?.account ?? null;
  const isOver = state !== null && hasEnded(state);
  return (
    <div className="flex flex-col gap-3">
      <h1 className={isOver ? "text-lg font-semibold" : "sr-only"}>
        {isOver ? "This account has ended" : "Overview"}
      </h1>
      <Banners account={account} />
      {state === null ? (
        <output className="block min-h-dvh" aria-label="Loading the account" />
      ) : (
        <>
          {account?.evaluation.isEliminated === true && (
            <Eliminated
              account={account}
              evidenceOf={state.network === "vanta" ? null : accountId}
            />
          )}
          <Tiles state={state} />
          <Panels state={state} account={account} isOver={isOver} />
        </>
      )}
    </div>
  );
}

interface PanelsProps {
  readonly state: AccountStateView;
  readonly account: Account<Linked> | null;
  readonly isOver: boolean;
}

/** The panels in two columns; on a narrow screen in one column with the limits below the chart. */
function Panels({ state, account, isOver }: PanelsProps) {
  return (
    <div className="flex flex-col gap-3 lg:grid lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)] lg:items-start">
      <div className="min-w-0 flex-col gap-3 max-lg:contents lg:flex">
        <EquityPanel state={state} />
        <PricePanel state={state} />
        {account !== null && (
          <div
            className={`grid items-start gap-3 max-lg:order-2 ${isOver ? "" : "xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"}`}
          >
            <Calendar account={account} isOver={isOver} />
            {!isOver && <Performance account={account} />}
          </div>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-3 max-lg:order-1">
        {!isOver && <Limits state={state} account={account} />}
        {account !== null && !isOver && <UpcomingTimes account={account} />}
        {account !== null && isOver && <Performance account={account} />}
        {account !== null && !isOver && <Capital account={account} />}
      </div>
    </div>
  );
}
