import {
  type AccountStateView,
  BEAT_EVENT,
  DASHBOARD_PREFIX,
  LIVE_EVENT,
} from "@propgate/contract";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { CallFailed, read } from "../api/call.ts";
import { accountsQuery } from "../api/session.ts";
import { useServiceClock } from "../clock.tsx";

/** `live`: pushed; `polling`: asked for every few seconds; `lost`: what is shown is old. */
export type LiveStatus = "connecting" | "live" | "polling" | "lost";

interface AccountLive {
  readonly accountId: string;
  /** The newest known; null until the first has come. */
  readonly state: AccountStateView | null;
  readonly status: LiveStatus;
  /** Why nothing comes; null while it does. */
  readonly problem: string | null;
}

const LiveContext = createContext<AccountLive | null>(null);

/** Without an event or a beat for so long the stream is given up for polling. */
const SILENT_MS = 40_000;
const POLL_MS = 5_000;
const STREAM_RETRY_MS = 30_000;

/**
 * Follows one account for every page below: pushed by the service, and where a proxy swallows the
 * stream, asked for every few seconds until it comes through again. An older state never replaces a
 * newer one.
 */
export function AccountLiveProvider({
  accountId,
  onSignedOut,
  children,
}: {
  readonly accountId: string;
  readonly onSignedOut: () => void;
  readonly children: ReactNode;
}) {
  const [live, setLive] = useState<AccountLive>(() => nothingYet(accountId));
  const clock = useServiceClock();
  const queries = useQueryClient();
  useEffect(() => {
    let newest = { version: -1, generatedAtMs: 0 };
    const take = (state: AccountStateView, status: LiveStatus): void => {
      if (isOlder(state, newest)) return;
      const moved = newest.version >= 0 && state.version !== newest.version;
      newest = state;
      clock.set(state.generatedAtMs);
      setLive({ accountId, state, status, problem: null });
      // What the journal moved may show in any list.
      if (!moved) return;
      void queries.invalidateQueries({ queryKey: ["account", accountId] });
      void queries.invalidateQueries(accountsQuery);
    };
    const lost = (cause: unknown): void => {
      if (cause instanceof CallFailed && cause.status === 401) onSignedOut();
      const problem = cause instanceof Error ? cause.message : "The service cannot be reached.";
      setLive((before) => ({ ...before, status: "lost", problem }));
    };
    setLive(nothingYet(accountId));
    return follow(accountId, { take, lost });
  }, [accountId, clock, queries, onSignedOut]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

/** The account of the page, as it is now. */
export function useAccountLive(): AccountLive {
  const live = useContext(LiveContext);
  if (live === null) throw new Error("broken invariant: a page of an account");
  return live;
}

function nothingYet(accountId: string): AccountLive {
  return { accountId, state: null, status: "connecting", problem: null };
}

function isOlder(
  state: Pick<AccountStateView, "version" | "generatedAtMs">,
  newest: Pick<AccountStateView, "version" | "generatedAtMs">,
): boolean {
  if (state.version !== newest.version) return state.version < newest.version;
  return state.generatedAtMs < newest.generatedAtMs;
}

interface Follower {
  readonly take: (state: AccountStateView, status: LiveStatus) => void;
  readonly lost: (cause: unknown) => void;
}

/** Streams, and polls while the stream is silent. Returns what ends both. */
function follow(accountId: string, follower: Follower): () => void {
  const ended = new AbortController();
  let source: EventSource | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const ask = async (): Promise<void> => {
    try {
      const path = `accounts/${accountId}/state`;
      follower.take(await read<AccountStateView>(path, ended.signal), "polling");
    } catch (cause) {
      if (!ended.signal.aborted) follower.lost(cause);
    }
  };
  const stopPolling = (): void => {
    clearInterval(polling);
    polling = undefined;
  };
  const poll = (): void => {
    retry = setTimeout(stream, STREAM_RETRY_MS);
    if (polling !== undefined) return;
    void ask();
    polling = setInterval(() => void ask(), POLL_MS);
  };
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(poll, SILENT_MS);
  };
  const stream = (): void => {
    source?.close();
    source = new EventSource(`${DASHBOARD_PREFIX}/accounts/${accountId}/live`);
    source.addEventListener(LIVE_EVENT, (event: MessageEvent<string>) => {
      const state: AccountStateView = JSON.parse(event.data);
      stopPolling();
      clearTimeout(retry);
      listen();
      follower.take(state, "live");
    });
    source.addEventListener(BEAT_EVENT, listen);
    source.addEventListener("error", () => {
      // The browser connects again by itself, unless it was refused.
      if (source?.readyState === EventSource.CLOSED) poll();
    });
    listen();
  };
  stream();
  return () => {
    ended.abort();
    source?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    stopPolling();
  };
}
