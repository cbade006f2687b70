import type { AccountStateView } from "@propgate/contract";
import { type AccountId, accountSnapshot, type Moment, positionReadings } from "@propgate/core";
import type { Timer } from "../../clock.ts";
import type { JsonReply } from "../../json/json-reply.ts";
import type { VersionedState } from "../../network/executor-port.ts";
import type { PresentAccounts } from "../../network/present-account.ts";
import type { AccountStore } from "../../storage/stores/account-store.ts";
import type { Visitor } from "../page-call.ts";
import { createLiveStream, type LiveStream } from "./live-stream.ts";
import { accountStateView, marketViews } from "./state-view.ts";

/** The state of accounts, told whenever it has changed, to everybody who watches them. */
export interface LiveStreams {
  /** Why there is no room for another stream of this visitor; null: there is. */
  isFull(visitor: Visitor): string | null;
  /**
   * Begins with that state, whatever the reader has seen before: an event is the whole state, so a
   * `Last-Event-ID` has nothing to make up for and is not read.
   */
  open(visitor: Visitor, account: AccountId, now: AccountStateView): LiveStream;
  /** How many there are. */
  count(): number;
}

export interface LiveNeeds {
  readonly accounts: Pick<AccountStore, "versions">;
  readonly present: PresentAccounts;
  readonly timer: Timer;
  /** Whether the visitor's session goes on; without it sessions never end. */
  readonly isStillAllowed?: (visitor: Visitor) => Promise<boolean>;
  readonly onFault: (cause: unknown) => void;
}

/** How often accounts are looked at: what changes in between is told together. */
export const LOOK_MS = 1_000;
/** In looks. */
const BEAT_EVERY = 15;
const SESSION_EVERY = 10;
/** A stream that nobody has begun to read after so many looks never will be. */
const UNREAD_LOOKS_MAX = 3;

const PER_PERSON_MAX = 8;
const ALL_MAX = 1_000;

interface Watching {
  readonly visitor: Visitor;
  readonly accountId: AccountId;
  readonly stream: LiveStream;
  looks: number;
}

/**
 * One loop for all streams of the process, which rests while there is none. A look costs one
 * statement for the versions of all watched accounts; only where the version or a figure that prices
 * and time make has moved is the whole state put together again. What other accounts of the owner
 * change about it, the number of his active ones, is looked at with every heartbeat.
 */
export function createLiveStreams(need: LiveNeeds): LiveStreams {
  const watching = new Set<Watching>();
  const known = new Map<AccountId, string>();
  let isLooping = false;
  let looks = 0;

  const look = (): void => {
    looks += 1;
    lookAt({ need, watching, known }, looks).catch(need.onFault).finally(loop);
  };
  const loop = (): void => {
    isLooping = watching.size > 0;
    if (isLooping) need.timer.after(LOOK_MS, () => (watching.size > 0 ? look() : loop()));
    else known.clear();
  };

  return {
    isFull(visitor) {
      if (watching.size >= ALL_MAX) return "There are too many live streams; try again later";
      const own = [...watching].filter((one) => isOf(one.visitor, visitor)).length;
      return own < PER_PERSON_MAX
        ? null
        : `You have ${PER_PERSON_MAX} live streams open, the most there may be; close a page first`;
    },
    open(visitor, accountId, now) {
      const stream = createLiveStream(() => watching.delete(mine));
      const mine: Watching = { visitor, accountId, stream, looks: 0 };
      watching.add(mine);
      stream.offer(now, figuresOf(now));
      if (!isLooping) loop();
      return stream;
    },
    count: () => watching.size,
  };
}

/** An answer that goes on for as long as somebody reads it. */
export function eventStream({ bytes }: LiveStream): JsonReply {
  return {
    status: 200,
    content: bytes,
    type: "text/event-stream",
    // Proxies such as nginx would keep events back until there are enough of them.
    headers: { "X-Accel-Buffering": "no" },
  };
}

interface Look {
  readonly need: LiveNeeds;
  readonly watching: ReadonlySet<Watching>;
  /** The figures of each account when its state was last put together. */
  readonly known: Map<AccountId, string>;
}

async function lookAt(look: Look, turn: number): Promise<void> {
  const { need, watching, known } = look;
  for (const one of watching) {
    one.looks += 1;
    if (one.looks >= UNREAD_LOOKS_MAX && !one.stream.isRead()) one.stream.end();
  }
  if (turn % SESSION_EVERY === 0) await endSessions(look);
  const isBeat = turn % BEAT_EVERY === 0;
  if (isBeat) {
    known.clear();
    for (const { stream } of watching) stream.beat();
  }
  const streams = groupedBy(watching, ({ accountId }) => accountId);
  for (const id of known.keys()) if (!streams.has(id)) known.delete(id);
  const versions = await need.accounts.versions([...streams.keys()]);
  const accounts = await Promise.all(versions.map((at) => need.present.read(at)));
  const moment = need.present.moment();
  await Promise.all(
    accounts.map(async (account) => {
      if (account === null || !hasMoved(known, account, moment)) return;
      const view = await accountStateView(need.present, { account, moment });
      const figures = figuresOf(view);
      for (const { stream } of streams.get(account.state.accountId) ?? []) {
        stream.offer(view, figures);
      }
    }),
  );
}

/** By what can be told in memory; remembers it. */
function hasMoved(
  known: Map<AccountId, string>,
  { state, version }: VersionedState,
  moment: Moment,
): boolean {
  const figures = JSON.stringify([
    version,
    accountSnapshot(state, moment),
    positionReadings(state, moment),
    marketViews(state, moment),
  ]);
  if (known.get(state.accountId) === figures) return false;
  known.set(state.accountId, figures);
  return true;
}

/** The state without the times at which it was made. */
function figuresOf(view: AccountStateView): string {
  const { account } = view;
  const meta = account === null ? null : { ...account.meta, generatedAtMs: 0 };
  return JSON.stringify({ ...view, generatedAtMs: 0, account: { ...account, meta } });
}

/** Each session is asked about once. While it cannot be told, its streams go on. */
async function endSessions({ need, watching }: Look): Promise<void> {
  const { isStillAllowed, onFault } = need;
  if (isStillAllowed === undefined) return;
  const sessions = groupedBy(watching, ({ visitor }) => visitor.sessionId);
  await Promise.all(
    [...sessions.values()].map(async (streams) => {
      const [first] = streams;
      if (first === undefined) return;
      const goesOn = await isStillAllowed(first.visitor).catch((cause: unknown) => {
        onFault(cause);
        return true;
      });
      if (!goesOn) for (const { stream } of streams) stream.end();
    }),
  );
}

function isOf(one: Visitor, other: Visitor): boolean {
  return one.person.personId === other.person.personId;
}

function groupedBy<Key>(
  watching: Iterable<Watching>,
  keyOf: (one: Watching) => Key,
): ReadonlyMap<Key, readonly Watching[]> {
  const groups = new Map<Key, Watching[]>();
  for (const one of watching) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}
