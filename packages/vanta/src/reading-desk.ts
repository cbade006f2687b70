import { type Clock, createSlots, delay, type Timer } from "@propgate/base";
import { type AccountId, type UnixMs, unixMs } from "@propgate/core";
import type { LinkedAccount, LinkedAccountStore, ReadAt } from "@propgate/ledger";
import type { LinkedReadings } from "./dashboard/linked-readings.ts";
import type { Poll, StartPoll } from "./desk/account-poll.ts";
import type { ParsedReadings } from "./desk/parsed-readings.ts";
import { startWaitLimit, type WaitLimit } from "./desk/wait-limit.ts";

/** A linked account with readings that may be shown. */
export interface LinkedReading {
  readonly account: LinkedAccount;
  readonly readings: LinkedReadings;
  readonly readAtMs: UnixMs;
  /**
   * True when the readings may be too old: a newer reading failed or takes long, or readings of any age were accepted.
   */
  readonly isStale: boolean;
}

/** Reads linked accounts: from storage while the readings are fresh, otherwise from the network. */
export interface ReadingDesk {
  /**
   * Reads an account. Null when the network cannot be reached and no recent readings are stored. `after`: the readings'
   * request must have begun after that moment. For an account that was unlinked, the last readings of any age.
   */
  read(at: Pick<ReadAt, "accountId">, after?: UnixMs): Promise<LinkedReading | null>;
  /**
   * The stored readings without a wait for the network. When they are not recent, a poll is started and the result is
   * null. For an account that was unlinked, the last readings of any age.
   */
  peek(at: Pick<ReadAt, "accountId">): Promise<LinkedReading | null>;
  /** The stored readings of any age, without a call to the network; null before the first reading. */
  stored(at: Pick<ReadAt, "accountId">): Promise<LinkedReading | null>;
  /** Starts polls of the accounts whose readings are the oldest, without waiting for them. Call it every second. */
  pollOldest(): Promise<void>;
  /** Starts no further poll; resolves when the present ones have ended. */
  stop(): Promise<void>;
}

/** Readings younger than this are returned without a call to the network. */
const FRESH_MS = 10_000;
/**
 * Readings younger than this are returned when a poll fails or takes too long, and after a poll that has just stored
 * them. `peek` returns them too.
 */
const RECENT_MS = 60_000;
/** The time that a reader waits for the network; `WAIT_MAX_RECENT_MS` when there are recent readings. */
const WAIT_MAX_MS = 10_000;
const WAIT_MAX_RECENT_MS = 3_000;
/** The time between two checks whether another process has stored its reading. */
const CHECK_EVERY_MS = 150;
/** The age at which readings are polled again. It is below `FRESH_MS`, so that most readers find fresh readings. */
const POLL_EVERY_MS = 9_000;
const POLLS_CONCURRENT_MAX = 8;
/** The maximum number of accounts that one listing returns for polls. One process cannot poll so many in time. */
const ACCOUNTS_MAX = 10_000;

export interface ReadingDeskOptions {
  readonly store: Pick<LinkedAccountStore, "find" | "unreadSince">;
  readonly startPoll: StartPoll;
  readonly parsed: ParsedReadings;
  readonly clock: Clock;
  readonly timer: Timer;
}

export function createReadingDesk(options: ReadingDeskOptions): ReadingDesk {
  const flights = createPollsInFlight(options);
  const background = createBackground(options, flights);
  return {
    read: ({ accountId }, after) => readOne(options, flights, { accountId, after: after ?? null }),
    async peek({ accountId }) {
      const account = await findAccount(options, accountId);
      if (account.status === "closed") return lastKnown(options, account);
      const after = account.behindSinceMs;
      const found = usableReading(options, account, { after, ageMaxMs: RECENT_MS });
      if (found === null) void flights.join(accountId, after);
      return found === null ? null : { ...found, isStale: isOverdue(options, found) };
    },
    stored: async ({ accountId }) => lastKnown(options, await findAccount(options, accountId)),
    pollOldest: () => background.pollOldest(),
    async stop() {
      background.stop();
      await flights.idle();
    },
  };
}

/** True when the readings are older than the polls in the background should allow. */
function isOverdue({ clock }: ReadingDeskOptions, { readAtMs }: LinkedReading): boolean {
  return clock.now() - readAtMs >= 3 * FRESH_MS;
}

/** The polls of this process: one for each account at a time. */
interface PollsInFlight {
  /**
   * Joins the poll that is under way, or starts one. `again`: the joined poll has ended, but began too early. `busy`:
   * another process polls the account.
   */
  join(id: AccountId, after: UnixMs | null): Promise<"stored" | "failed" | "busy" | "again">;
  has(id: AccountId): boolean;
  idle(): Promise<void>;
}

function createPollsInFlight({ startPoll }: Pick<ReadingDeskOptions, "startPoll">): PollsInFlight {
  const flights = new Map<AccountId, Poll>();
  const start = (id: AccountId, after: UnixMs | null): Poll => {
    const poll = startPoll(id, after);
    flights.set(id, poll);
    void poll.result.finally(() => flights.delete(id));
    return poll;
  };
  return {
    async join(id, after) {
      const known = flights.get(id);
      const beganAtMs = known?.beganAtMs() ?? null;
      if (known !== undefined && after !== null && beganAtMs !== null && beganAtMs <= after) {
        await known.result;
        return "again";
      }
      return (known ?? start(id, after)).result;
    },
    has: (id) => flights.has(id),
    async idle() {
      await Promise.all([...flights.values()].map(({ result }) => result));
    },
  };
}

interface ReadingRequest {
  readonly accountId: AccountId;
  /** The reading must have begun after this moment; null accepts a reading of any time. */
  readonly after: UnixMs | null;
}

async function readOne(
  options: ReadingDeskOptions,
  flights: PollsInFlight,
  wanted: ReadingRequest,
): Promise<LinkedReading | null> {
  const account = await findAccount(options, wanted.accountId);
  const needs = { ...wanted, after: laterOf(account.behindSinceMs, wanted.after) };
  const fresh = usableReading(options, account, { ...needs, ageMaxMs: FRESH_MS });
  if (fresh !== null) return fresh;
  // The desk does not poll an account that was unlinked.
  if (account.status === "closed") return lastKnown(options, account);
  const recent = usableReading(options, account, { ...needs, ageMaxMs: RECENT_MS });
  const patience = startWaitLimit(
    options.timer,
    recent === null ? WAIT_MAX_MS : WAIT_MAX_RECENT_MS,
  );
  try {
    return await readAgain(options, { flights, patience, needs });
  } finally {
    patience.end();
  }
}

async function readAgain(
  options: ReadingDeskOptions,
  wait: {
    readonly flights: PollsInFlight;
    readonly patience: WaitLimit;
    readonly needs: ReadingRequest;
  },
): Promise<LinkedReading | null> {
  const { flights, patience } = wait;
  let { needs } = wait;
  for (;;) {
    const result = await patience.wait(flights.join(needs.accountId, needs.after));
    if (result === "busy") await patience.wait(delay(options.timer, CHECK_EVERY_MS));
    const account = await findAccount(options, needs.accountId);
    needs = { ...needs, after: laterOf(account.behindSinceMs, needs.after) };
    const ageMaxMs = result === "stored" ? RECENT_MS : FRESH_MS;
    const found = usableReading(options, account, { ...needs, ageMaxMs });
    if (found !== null) return found;
    if (result === "failed" || patience.isOver()) {
      const recent = usableReading(options, account, { ...needs, ageMaxMs: RECENT_MS });
      return recent === null ? null : { ...recent, isStale: true };
    }
  }
}

async function findAccount({ store }: ReadingDeskOptions, id: AccountId): Promise<LinkedAccount> {
  const account = await store.find(id);
  if (account === null) throw new Error("broken invariant: a linked account that the gates found");
  return account;
}

/** The stored readings, if they are younger than `ageMaxMs` and their request began after `after`; else null. */
function usableReading(
  { parsed, clock }: ReadingDeskOptions,
  account: LinkedAccount,
  { after, ageMaxMs }: Pick<ReadingRequest, "after"> & { readonly ageMaxMs: number },
): LinkedReading | null {
  const { readAtMs } = account;
  const readings = parsed.readingsOf(account);
  if (readings === null || readAtMs === null) return null;
  if (after !== null && readAtMs <= after) return null;
  if (clock.now() - readAtMs >= ageMaxMs) return null;
  return { account, readings, readAtMs, isStale: false };
}

function laterOf(one: UnixMs | null, other: UnixMs | null): UnixMs | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function lastKnown({ parsed }: ReadingDeskOptions, account: LinkedAccount): LinkedReading | null {
  const readings = parsed.readingsOf(account);
  const { readAtMs } = account;
  return readings === null || readAtMs === null
    ? null
    : { account, readings, readAtMs, isStale: true };
}

/** Polls in the background, a few accounts at a time. */
function createBackground(
  { store, clock }: ReadingDeskOptions,
  flights: PollsInFlight,
): Pick<ReadingDesk, "pollOldest"> & { stop(): void } {
  const slots = createSlots(POLLS_CONCURRENT_MAX);
  const queued = new Set<AccountId>();
  let isStopped = false;
  const poll = async (id: AccountId): Promise<void> => {
    if (!isStopped && !flights.has(id)) await flights.join(id, null);
    queued.delete(id);
  };
  return {
    async pollOldest() {
      const before = unixMs(clock.now() - POLL_EVERY_MS);
      for (const id of await store.unreadSince(before, ACCOUNTS_MAX)) {
        if (queued.has(id)) continue;
        queued.add(id);
        void slots.run(() => poll(id));
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
