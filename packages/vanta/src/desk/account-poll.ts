import type { Clock } from "@propgate/base";
import { type AccountId, type UnixMs, unixMs } from "@propgate/core";
import type { LinkedAccount, LinkedAccountStore } from "@propgate/ledger";
import { decodeDashboard } from "../dashboard/decode-dashboard.ts";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import { mergeDashboard, NO_CURSORS } from "../dashboard/merge-dashboard.ts";
import { openPairs } from "../dashboard/open-pairs.ts";
import { readingLines } from "../journal/reading-lines.ts";
import type { Validator } from "../upstream/port.ts";
import { linkedStatus } from "../views/phase.ts";
import { type FailureLog, failureText } from "./failure-log.ts";
import type { LimitReader } from "./limit-reader.ts";
import type { PairBook } from "./pair-book.ts";
import type { ParsedReadings } from "./parsed-readings.ts";

/**
 * The result of a poll. `stored`: the stored readings are new. `failed`: the network has no usable answer, or it could
 * not be stored. `busy`: another process reads the account.
 */
export type PollResult = "stored" | "failed" | "busy";

/** A poll that is under way. */
export interface Poll {
  /**
   * The moment at which the reading began: it will show everything that happened before. Null until the lease is taken.
   */
  readonly beganAtMs: () => UnixMs | null;
  readonly result: Promise<PollResult>;
}

/** Starts a poll. The caller needs a reading that began later than `after`; null accepts a reading of any time. */
export type StartPoll = (id: AccountId, after: UnixMs | null) => Poll;

export interface AccountPollOptions {
  readonly store: LinkedAccountStore;
  readonly validator: Pick<Validator, "dashboard">;
  readonly limits: LimitReader;
  /** The network's pairs, with which events name the pair of an order or position. */
  readonly pairs: Pick<PairBook, "read">;
  readonly parsed: ParsedReadings;
  readonly clock: Clock;
  /** The name of this process in leases. */
  readonly holder: string;
  readonly failures: FailureLog;
  readonly onFault: (cause: unknown) => void;
  /** Called with readings that were stored. */
  readonly onStored: (id: AccountId, readings: LinkedReadings, readAtMs: UnixMs) => Promise<void>;
}

/**
 * The time limit of a poll's lease. It is longer than the client's limit for one call, so that the lease runs out early
 * only when its process has stopped.
 */
const LEASE_MS = 30_000;
const JUST_READ_MS = 2_000;
/** The time between two full reads. They repair the gaps that incremental reads may leave. */
const FULL_READ_INTERVAL_MS = 600_000;

/** Starts the polls of linked accounts. */
export interface AccountPolls {
  readonly start: StartPoll;
  /**
   * Makes the account's next poll a full read, because an incremental read may miss items that the network has sent to
   * another reader.
   */
  readonly readInFull: (id: AccountId) => void;
}

/**
 * Creates the polls of accounts. A poll takes the lease, reads the account at the validator, and stores the answer with
 * the items that the network sends only once. After a poll whose answer was lost, the next one reads everything again,
 * so that no item of the lost answer is missing.
 */
export function createAccountPolls(options: AccountPollOptions): AccountPolls {
  /** When this process last read the whole account. An account that is not in this map is read in full. */
  const fullAtMs = new Map<AccountId, UnixMs>();
  const start: StartPoll = (id, after) => {
    let beganAtMs: UnixMs | null = null;
    const began = (atMs: UnixMs): void => {
      beganAtMs = atMs;
    };
    const result = pollOnce(options, { id, after, fullAtMs, began }).catch((cause: unknown) => {
      fullAtMs.delete(id);
      options.onFault(cause);
      return "failed" as const;
    });
    return { beganAtMs: () => beganAtMs, result };
  };
  return { start, readInFull: (id) => void fullAtMs.delete(id) };
}

interface PollState {
  readonly id: AccountId;
  readonly after: UnixMs | null;
  readonly fullAtMs: Map<AccountId, UnixMs>;
  readonly began: (atMs: UnixMs) => void;
}

async function pollOnce(options: AccountPollOptions, poll: PollState): Promise<PollResult> {
  const { store, clock, holder } = options;
  const { id } = poll;
  const account = await store.takeLease(id, holder, LEASE_MS);
  if (account === null) return "busy";
  const readAtMs = readingStartMs(account, clock.now());
  poll.began(readAtMs);
  let isStored = false;
  try {
    // Another process has stored a reading that is new enough.
    if (isJustRead(account, poll.after, clock.now())) return "stored";
    isStored = await readAndStore(options, { ...poll, account, readAtMs });
    if (isStored) return "stored";
    poll.fullAtMs.delete(id);
    // The failure is stored with the present time, because another process may have stored a reading that began later
    // than this one.
    await store.recordFailure(id, clock.now());
    return "failed";
  } finally {
    // A stored reading has ended the lease already, so only a poll that stored none releases it.
    if (!isStored) await store.releaseLease(id, holder);
  }
}

function isJustRead(
  { readAtMs, behindSinceMs, failingSinceMs }: LinkedAccount,
  after: UnixMs | null,
  now: UnixMs,
): boolean {
  if (readAtMs === null || failingSinceMs !== null) return false;
  return now - readAtMs < JUST_READ_MS && readAtMs > Math.max(behindSinceMs ?? 0, after ?? 0);
}

/**
 * The start time of a reading. It is later than every order that the lease's row names, even when a process with a
 * faster clock has sent the order.
 */
function readingStartMs({ behindSinceMs }: LinkedAccount, now: UnixMs): UnixMs {
  return behindSinceMs === null ? now : unixMs(Math.max(now, behindSinceMs + 1));
}

/**
 * Reads the account and stores the answer. False when there is no usable answer, or when another process has taken the
 * lease meanwhile.
 */
async function readAndStore(
  options: AccountPollOptions,
  poll: PollState & { readonly account: LinkedAccount; readonly readAtMs: UnixMs },
): Promise<boolean> {
  const { store, validator, parsed, failures, holder } = options;
  const { id, account, readAtMs, fullAtMs } = poll;
  const fail = (why: string): false => {
    failures.logFailure(id, why);
    return false;
  };
  const before = parsed.readingsOf(account);
  const isFull = mustReadAll(account, fullAtMs.get(id), readAtMs);
  const requested = isFull ? NO_CURSORS : (before?.cursors ?? NO_CURSORS);
  const [answer, limits, pairs] = await Promise.all([
    validator.dashboard(account.hotkey, requested),
    options.limits.read(account, before?.limits ?? null),
    options.pairs.read(),
  ]);
  if (!answer.ok) return fail(failureText(answer.failure));
  const decoded = decodeDashboard(answer.value, account);
  if (!decoded.ok) return fail(`the dashboard cannot be read: ${decoded.why}`);
  if (!belongsToAccount(account, decoded.part.info))
    return fail("the dashboard is of another subaccount");
  const merged = mergeDashboard(before, decoded.part, { requested, readAtMs });
  const readings: LinkedReadings = { ...merged.readings, limits };
  const isStored = await store.storeReading({
    accountId: id,
    holder,
    readings: JSON.stringify(readings),
    pairs: openPairs(readings),
    readAtMs,
    behindSinceMs: account.behindSinceMs,
    status: linkedStatus(readings),
    records: merged.records,
    lines: readingLines(account, before, merged, pairs),
  });
  if (!isStored) return fail("another process took over the reading");
  if (isFull) fullAtMs.set(id, readAtMs);
  failures.logSuccess(id);
  await options.onStored(id, readings, readAtMs).catch(options.onFault);
  return true;
}

/**
 * True when the read must be a full one: after a failed reading, which may have received items that the network does
 * not send again; and when this process has never read the account in full, or not for ten minutes.
 */
function mustReadAll(
  { failingSinceMs }: LinkedAccount,
  fullAtMs: UnixMs | undefined,
  now: UnixMs,
): boolean {
  return (
    failingSinceMs !== null || fullAtMs === undefined || now - fullAtMs >= FULL_READ_INTERVAL_MS
  );
}

function belongsToAccount(
  { subaccountUuid }: Pick<LinkedAccount, "subaccountUuid">,
  info: LinkedReadings["info"],
): boolean {
  return (info.subaccountUuid ?? subaccountUuid) === subaccountUuid;
}
