import {
  type AccountStateView,
  BEAT_EVENT,
  DASHBOARD_PREFIX,
  LIVE_EVENT,
} from "@propgate/contract";
import { CallFailed, read } from "../api/call.ts";

export interface Follower {
  /** A state arrived through the stream (`live`) or a call (`polling`). */
  readonly take: (state: AccountStateView, status: "live" | "polling") => void;
  /** The stream broke; a call is pending. */
  readonly reconnecting: () => void;
  /** A call failed as well. After a 401 or a 404 there are no more calls. */
  readonly lost: (cause: unknown) => void;
}

/** The service sends a heartbeat every 3 s: a stream without an event for this long is broken. */
const SILENT_MS = 8_000;
/** A call without an answer for this long has failed. */
const ANSWER_MS = 4_000;
const POLL_MS = 5_000;
const POLL_FAILED_MS = 1_500;
/** A stream that broke before its first event is probably buffered by a proxy, so it is retried later. */
const STREAM_RETRY_MS = 30_000;

/**
 * Streams the state of one account. Polls while the stream is broken or silent. Returns a function
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
      follower.lost(outcome.cause);
      if (isFinal(outcome.cause)) end();
      else nextPoll = setTimeout(() => void poll(), POLL_FAILED_MS);
      return;
    }
    follower.take(outcome.state, "polling");
    nextPoll = setTimeout(() => void poll(), POLL_MS);
    if (stream === null && mayStream) open();
  };
  const answer = async (): Promise<Outcome> => {
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS)]);
      const state = await read<AccountStateView>(`accounts/${accountId}/state`, signal);
      return { state, cause: null };
    } catch (cause) {
      return { state: null, cause };
    }
  };
  const broken = (): void => {
    clearTimeout(silence);
    stream?.close();
    stream = null;
    if (isDelivering) follower.reconnecting();
    else {
      mayStream = false;
      nextStream = setTimeout(() => {
        mayStream = true;
      }, STREAM_RETRY_MS);
    }
    isDelivering = false;
    void poll();
  };
  const hear = (): void => {
    clearTimeout(silence);
    silence = setTimeout(broken, SILENT_MS);
  };
  const open = (): void => {
    const opened = new EventSource(`${DASHBOARD_PREFIX}/accounts/${accountId}/live`);
    stream = opened;
    opened.addEventListener(LIVE_EVENT, (event: MessageEvent<string>) => {
      const state: AccountStateView = JSON.parse(event.data);
      isDelivering = true;
      clearTimeout(nextPoll);
      hear();
      follower.take(state, "live");
    });
    opened.addEventListener(BEAT_EVENT, hear);
    // The browser's own retries are silent until they succeed, so the stream is opened again here.
    opened.addEventListener("error", () => stream === opened && broken());
    hear();
  };
  const lookNow = (): void => (stream === null ? void poll() : broken());
  const end = (): void => {
    ended.abort();
    stream?.close();
    for (const timer of [silence, nextPoll, nextStream]) clearTimeout(timer);
    removeEventListener("offline", lookNow);
    removeEventListener("online", lookNow);
  };
  addEventListener("offline", lookNow);
  addEventListener("online", lookNow);
  open();
  return end;
}

type Outcome =
  | { readonly state: AccountStateView; readonly cause: null }
  | { readonly state: null; readonly cause: unknown };

/** The person is signed out or has no such account, so a retry cannot help. */
function isFinal(cause: unknown): boolean {
  return cause instanceof CallFailed && (cause.status === 401 || cause.status === 404);
}
