import type { AccountStateView } from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { CallFailed } from "../api/call.ts";
import { accountsQuery, sessionQuery } from "../api/session.ts";
import { useServiceClock } from "../clock.tsx";
import { entryQuery } from "../frame/served-entry.ts";
import { followAccount } from "./follow-account.ts";

/**
 * `connecting`: no state has arrived yet. `live`: the service sends states. `polling`: states are fetched every few
 * seconds. `reconnecting` and `lost`: the figures are out of date. `missing`: the person has no such account.
 */
export type LiveStatus = "connecting" | "live" | "polling" | "reconnecting" | "lost" | "missing";

interface AccountLive {
  readonly accountId: string;
  /** The newest state; null until the first one arrives. */
  readonly state: AccountStateView | null;
  readonly status: LiveStatus;
  /** Why the last call for a state failed; null before the first failure, and after every state that arrives. */
  readonly problem: string | null;
}

const LiveContext = createContext<AccountLive | null>(null);

/**
 * Follows one account for all components inside it. The service sends the states of the account; while its stream is
 * broken, they are fetched every few seconds. Within one connection an older state never replaces a newer one.
 */
export function AccountLiveProvider({
  accountId,
  children,
}: {
  readonly accountId: string;
  readonly children: ReactNode;
}) {
  const [live, setLive] = useState<AccountLive>(() => emptyAccountLive(accountId));
  const clock = useServiceClock();
  const queries = useQueryClient();
  useEffect(() => {
    let newest = NONE;
    let wasLost = false;
    setLive(emptyAccountLive(accountId));
    return followAccount(accountId, {
      onState(state, status) {
        if (isOlder(state, newest)) {
          setLive((before) => ({ ...before, status, problem: null }));
          return;
        }
        const hasMoved = newest.version >= 0 && state.version !== newest.version;
        newest = state;
        clock.set(state.generatedAtMs);
        setLive({ accountId, state, status, problem: null });
        if (hasMoved || wasLost) {
          // A new journal line may have changed any list. So may lines that were missed while the connection was
          // lost.
          void queries.invalidateQueries({ queryKey: ["account", accountId] });
          void queries.invalidateQueries(accountsQuery);
        }
        if (wasLost) void queries.invalidateQueries(entryQuery);
        wasLost = false;
      },
      onReconnecting() {
        setLive((before) => ({ ...before, status: "reconnecting" }));
      },
      onLost(cause) {
        const status = cause instanceof CallFailed ? cause.status : 0;
        if (status === 401) queries.setQueryData(sessionQuery.queryKey, null);
        // After a restart the service may have an earlier time or a restored journal, so any state counts as newer.
        newest = NONE;
        wasLost = true;
        setLive((before) => ({
          ...before,
          status: status === 404 ? "missing" : "lost",
          problem: cause instanceof Error ? cause.message : "The service cannot be reached.",
        }));
      },
    });
  }, [accountId, clock, queries]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

/** The live state of the account whose page is shown. */
export function useAccountLive(): AccountLive {
  const live = useContext(LiveContext);
  if (live === null)
    throw new Error("broken invariant: this page is not inside AccountLiveProvider");
  return live;
}

/** False on pages of an account at a validator, because this service does not know its markets and ticks. */
export function useHasMarkets(): boolean {
  return useContext(LiveContext)?.state?.network !== "vanta";
}

/** True when the figures are out of date and newer ones cannot be loaded at the moment. */
export function isOutdated(status: LiveStatus): boolean {
  return status === "reconnecting" || status === "lost";
}

const NONE = { version: -1, generatedAtMs: 0 };

function emptyAccountLive(accountId: string): AccountLive {
  return { accountId, state: null, status: "connecting", problem: null };
}

function isOlder(
  state: Pick<AccountStateView, "version" | "generatedAtMs">,
  newest: Pick<AccountStateView, "version" | "generatedAtMs">,
): boolean {
  if (state.version !== newest.version) return state.version < newest.version;
  return state.generatedAtMs < newest.generatedAtMs;
}
