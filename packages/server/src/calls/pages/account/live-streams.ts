import type { Sessions } from "@propgate/access";
import type { Timer } from "@propgate/base";
import type { AccountStateView } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { AccountStore } from "@propgate/ledger";
import type { StreamSlots } from "@propgate/push";
import type { NetworkReadings } from "@propgate/wire";
import type { JsonReply } from "../../json/json-reply.ts";
import type { Visitor } from "../page-call.ts";
import { createLiveStream, type LiveStream } from "./live-stream.ts";

/** Sends an account's state to its open pages whenever the state has changed. */
export interface LiveStreams {
  /** The reason why this person may not open another stream, as a text for the person; null when the person may. */
  fullReason(visitor: Visitor): string | null;
  /**
   * Opens a stream that begins with the state `now`. Every event is a whole state, so `Last-Event-ID` is not read.
   * Counting and opening are one step, so that concurrent requests keep the limits. Returns a text for the person when
   * the person or the process has too many streams.
   */
  open(visitor: Visitor, account: AccountId, now: AccountStateView): LiveStream | string;
  /** The number of open streams. */
  count(): number;
}

export interface LiveOptions {
  readonly accounts: Pick<AccountStore, "versions">;
  readonly readings: NetworkReadings;
  readonly timer: Timer;
  /** The slots for streams of this process. The event streams of keys use the same slots. */
  readonly slots: StreamSlots;
  /** Streams end with their sessions. Without `sessions`, no session ends. */
  readonly sessions?: Pick<Sessions, "filterAlive" | "onEnded">;
  readonly onFault: (cause: unknown) => void;
}

/** How often accounts are checked. All changes between two checks become one event. */
const CHECK_MS = 1_000;
/** The number of checks between heartbeats. A page reconnects after 8 s without an event. */
const BEAT_EVERY = 3;
const FRESH_EVERY = 15;
const SESSION_EVERY = 2;
/** A stream that its client has not begun to read after this many checks is closed. */
const UNREAD_CHECKS_MAX = 3;

const PER_PERSON_MAX = 8;

interface Watching {
  readonly visitor: Visitor;
  readonly accountId: AccountId;
  readonly stream: LiveStream;
  checks: number;
}

/**
 * Creates the streams of this process. One loop serves them all, and pauses while there are none. A check reads the
 * versions of all watched accounts in one query of each database. The state of an account is built again only when its
 * version, or a figure that depends on prices and time, has changed. Every `FRESH_EVERY` checks all states are built
 * again, because the number of an owner's active accounts changes with other accounts.
 */
export function createLiveStreams(options: LiveOptions): LiveStreams {
  const watching = new Set<Watching>();
  const known = new Map<AccountId, string>();
  let isLooping = false;
  let checks = 0;

  const check = (): void => {
    checks += 1;
    runCheck({ options, watching, known }, checks).catch(options.onFault).finally(loop);
  };
  const loop = (): void => {
    isLooping = watching.size > 0;
    if (isLooping) options.timer.after(CHECK_MS, () => (watching.size > 0 ? check() : loop()));
    else known.clear();
  };

  const isFull: LiveStreams["fullReason"] = (visitor) => {
    const own = [...watching].filter((one) => isSameSession(one.visitor, visitor)).length;
    return own < PER_PERSON_MAX
      ? null
      : `You have ${PER_PERSON_MAX} live streams open, which is the maximum; close a page first`;
  };
  // Ends the streams of sessions that this process ends. Sessions that other nodes end are found by `endSessions`.
  options.sessions?.onEnded((ended) => {
    for (const { visitor, stream } of watching) {
      if (visitor.person.personId === ended.personId && ended.includes(visitor.sessionId)) {
        stream.end();
      }
    }
  });

  return {
    fullReason: isFull,
    open(visitor, accountId, now) {
      const full = isFull(visitor);
      if (full !== null) return full;
      const leave = options.slots.take();
      if (leave === null) return "There are too many live streams; try again later";
      const stream = createLiveStream(() => {
        watching.delete(mine);
        leave();
      });
      const mine: Watching = { visitor, accountId, stream, checks: 0 };
      watching.add(mine);
      stream.offer(now, figuresOf(now));
      if (!isLooping) loop();
      return stream;
    },
    count: () => watching.size,
  };
}

/** The answer that sends a stream. It lasts as long as the client reads it. */
export function eventStreamReply({ bytes }: LiveStream): JsonReply {
  return {
    status: 200,
    content: bytes,
    type: "text/event-stream",
    // Without this header, proxies such as nginx buffer the events.
    headers: { "X-Accel-Buffering": "no" },
  };
}

interface Check {
  readonly options: LiveOptions;
  readonly watching: ReadonlySet<Watching>;
  /** The figures of each account when its state was last built. */
  readonly known: Map<AccountId, string>;
}

async function runCheck(check: Check, turn: number): Promise<void> {
  const { options, watching, known } = check;
  for (const one of watching) {
    one.checks += 1;
    if (one.checks >= UNREAD_CHECKS_MAX && !one.stream.isRead()) one.stream.end();
  }
  if (turn % SESSION_EVERY === 0) await endSessions(check);
  if (turn % FRESH_EVERY === 0) known.clear();
  if (turn % BEAT_EVERY === 0) for (const { stream } of watching) stream.sendBeat();
  const streams = Map.groupBy(watching, ({ accountId }) => accountId);
  for (const id of known.keys()) if (!streams.has(id)) known.delete(id);
  const versions = await options.accounts.versions([...streams.keys()]);
  const { embedded, vanta } = options.readings;
  const readers = { embedded: embedded.atOneMoment(), vanta: vanta.atOneMoment() };
  await Promise.all(
    versions.map(async (at) => {
      const reading = await readers[at.network](at);
      // The figures are compared before the view is built, which costs more.
      if (reading === null || known.get(at.accountId) === reading.figures) return;
      known.set(at.accountId, reading.figures);
      const view = await reading.view();
      if (view === null) return;
      const figures = figuresOf(view);
      for (const { stream } of streams.get(at.accountId) ?? []) stream.offer(view, figures);
    }),
  );
}

/** The state as a text without its timestamps, so that equal texts mean equal states. */
function figuresOf(view: AccountStateView): string {
  const { account } = view;
  const meta = account === null ? null : { ...account.meta, generatedAtMs: 0 };
  return JSON.stringify({ ...view, generatedAtMs: 0, account: { ...account, meta } });
}

/** Ends the streams of sessions that have ended. While the database does not answer, all streams continue. */
async function endSessions({ options, watching }: Check): Promise<void> {
  if (options.sessions === undefined) return;
  const ids = new Set([...watching].map(({ visitor }) => visitor.sessionId));
  const alive = await options.sessions.filterAlive([...ids]).catch((cause: unknown) => {
    options.onFault(cause);
    return ids;
  });
  for (const { visitor, stream } of watching) {
    // A stream that was opened during the query is not part of the query's answer.
    if (ids.has(visitor.sessionId) && !alive.has(visitor.sessionId)) stream.end();
  }
}

function isSameSession(one: Visitor, other: Visitor): boolean {
  return one.person.personId === other.person.personId;
}
