import {
  type AccountStateView,
  BEAT_EVENT,
  DASHBOARD_PREFIX,
  LIVE_EVENT,
} from "@propgate/contract";
import { CallFailed, getData } from "../api/call.ts";

/** Receives the states of a followed account, and the failures of the connection. */
export interface Follower {
  /** Called for each state. `status` tells whether it came through the stream (`live`) or by a call (`polling`). */
  readonly onState: (state: AccountStateView, status: "live" | "polling") => void;
  /** Called when a stream that had sent states breaks. After that, a call fetches the state. */
  readonly onReconnecting: () => void;
  /**
   * Called each time that a call for the state fails while no stream sends states. After a 401 or a 404 no further
   * calls are made.
   */
  readonly onLost: (cause: unknown) => void;
}

/** A stream without an event for this long is broken, because the service sends a heartbeat every 3 s. */
const SILENT_MS = 8_000;
/** The time limit of a call. */
const ANSWER_MS = 4_000;
const POLL_MS = 5_000;
const POLL_FAILED_MS = 1_500;
/** The wait before a new stream when the last one broke before its first event, probably because a proxy buffers it. */
const STREAM_RETRY_MS = 30_000;

/**
 * Follows the state of one account by a stream, and by calls while the stream is broken or silent. Returns a function
 * that ends both.
 */
export function followAccount(accountId: string, follower: Follower): () => void {
  const ended = new AbortController();
  let stream: EventSource | null = null;
  let isDelivering = false;
  let isPolling = false;
  let mayStream = true;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  let nextStream: ReturnType<typeof setTimeout> | undefined;

  const poll = async (): Promise<void> => {
    clearTimeout(nextPoll);
    if (isPolling || ended.signal.aborted) return;
    isPolling = true;
    const outcome = await answer();
    isPolling = false;
    if (ended.signal.aborted || isDelivering) return;
    if (outcome.state === null) {
      follower.onLost(outcome.cause);
      if (isFinal(outcome.cause)) end();
      else nextPoll = setTimeout(() => void poll(), POLL_FAILED_MS);
      return;
    }
    follower.onState(outcome.state, "polling");
    nextPoll = setTimeout(() => void poll(), POLL_MS);
    if (stream === null && mayStream) open();
  };
  const answer = async (): Promise<Outcome> => {
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS)]);
      const state = await getData<AccountStateView>(`accounts/${accountId}/state`, signal);
      return { state, cause: null };
    } catch (cause) {
      return { state: null, cause };
    }
  };
  const onBroken = (): void => {
    clearTimeout(silence);
    stream?.close();
    stream = null;
    if (isDelivering) follower.onReconnecting();
    else {
      mayStream = false;
      nextStream = setTimeout(() => {
        mayStream = true;
      }, STREAM_RETRY_MS);
    }
    isDelivering = false;
    void poll();
  };
  const restartSilenceTimer = (): void => {
    clearTimeout(silence);
    silence = setTimeout(onBroken, SILENT_MS);
  };
  const open = (): void => {
    const opened = new EventSource(`${DASHBOARD_PREFIX}/accounts/${accountId}/live`);
    stream = opened;
    opened.addEventListener(LIVE_EVENT, (event: MessageEvent<string>) => {
      const state: AccountStateView = JSON.parse(event.data);
      isDelivering = true;
      clearTimeout(nextPoll);
      restartSilenceTimer();
      follower.onState(state, "live");
    });
    opened.addEventListener(BEAT_EVENT, restartSilenceTimer);
    // The browser would open the stream again by itself, but silently. So the stream is closed and opened again here.
    opened.addEventListener("error", () => stream === opened && onBroken());
    restartSilenceTimer();
  };
  const reconnectNow = (): void => (stream === null ? void poll() : onBroken());
  const end = (): void => {
    ended.abort();
    stream?.close();
    for (const timer of [silence, nextPoll, nextStream]) clearTimeout(timer);
    removeEventListener("offline", reconnectNow);
    removeEventListener("online", reconnectNow);
  };
  addEventListener("offline", reconnectNow);
  addEventListener("online", reconnectNow);
  open();
  return end;
}

type Outcome =
  | { readonly state: AccountStateView; readonly cause: null }
  | { readonly state: null; readonly cause: unknown };

/** True when a retry cannot help: the person is not signed in or has no such account. */
function isFinal(cause: unknown): boolean {
  return cause instanceof CallFailed && (cause.status === 401 || cause.status === 404);
}
