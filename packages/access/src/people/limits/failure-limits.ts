import { createHash } from "node:crypto";
import { type Clock, createSlots, networkOf } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Database, PersonId } from "@propgate/ledger";
import { createFailureStore, type Failures } from "../../storage/failure-store.ts";
import { createKnownBrowserStore } from "../../storage/known-browser-store.ts";
import { nameKey } from "../../storage/person.ts";

/**
 * Free failures: people mistype, and many may share an address. `pair` counts a name from one
 * network, so that a client elsewhere cannot block that name there; `name` counts over all networks.
 */
const FREE_FAILURES = { name: 30, pair: 5, browser: 5, person: 5, address: 20 } as const;
/** The wait after the first failure that is not free; it doubles with each further one. */
const FIRST_WAIT_MS = 30_000;
/** Max wait; with a longer one an attacker could lock a person out for a day. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** Failures are forgotten when none is added for this long. */
const FAILURES_KEPT_MS = 86_400_000;

/** The guesser: the subject that is counted beside the address. */
export type Guess =
  /** A typed name, in a browser with that cookie of `known_browsers`; null when there is none. */
  | { readonly by: "name"; readonly name: string; readonly browser: Uint8Array | null }
  /** A signed-in person: counted apart from guesses without a session. */
  | { readonly by: "person"; readonly personId: PersonId }
  /** A passkey without a name. */
  | { readonly by: "passkey" };

export interface BegunAttempt {
  readonly ok: true;
  /** The attempt succeeded: clears the failures of the name, and this attempt of the address. */
  succeeded(): Promise<void>;
  /** Un-counts an attempt whose password was not checked. */
  uncount(): Promise<void>;
}

/** `waitMs` is null when too many attempts are being counted at the moment. */
export type Attempt = BegunAttempt | { readonly ok: false; readonly waitMs: number | null };

/** Limits failed sign-ins, counted in the database for all nodes together. */
export interface FailureLimits {
  /**
   * Call this before a password is checked. It counts immediately, so that concurrent guesses gain
   * nothing.
   */
  begin(guess: Guess, address: string): Promise<Attempt>;
}

/** Max concurrent transactions of `begin`, so that a flood only delays itself. */
const CONCURRENT_MAX = 2;
const WAITING_MAX = 64;
/** How long a block is cached without a database query. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

export function createFailureLimits(options: {
  readonly database: Database;
  readonly clock: Clock;
}): FailureLimits {
  const { database, clock } = options;
  const slots = createSlots(CONCURRENT_MAX);
  const blocks = createBlockCache(clock);
  const begun = (subjects: readonly string[]): BegunAttempt => ({
    ok: true,
    async succeeded() {
      blocks.forget(subjects);
      const store = createFailureStore(database);
      const [own, others] = [subjects.filter(isAddress), subjects.filter((one) => !isAddress(one))];
      await store.remove(others);
      await store.uncount(own);
    },
    uncount() {
      blocks.forget(subjects);
      return createFailureStore(database).uncount(subjects);
    },
  });
  const count = (subjects: readonly string[]): Promise<Attempt> =>
    database.transaction(async (transaction) => {
      const nowMs = clock.now();
      const store = createFailureStore(transaction);
      const held = await store.hold(subjects);
      const waitMs = Math.max(...held.map((one) => one.blockedUntilMs - nowMs));
      if (waitMs > 0) {
        blocks.remember(held);
        return { ok: false, waitMs };
      }
      await store.write(held.map((one) => failed(one, nowMs)));
      return begun(subjects);
    });
  return {
    async begin(guess, address) {
      const early = blocks.waitMs(certainSubjects(guess, address));
      if (early > 0) return { ok: false, waitMs: early };
      if (slots.waiting() >= WAITING_MAX) return { ok: false, waitMs: null };
      return slots.take(async () => {
        // Earlier attempts may have found the block meanwhile.
        const waitMs = blocks.waitMs(certainSubjects(guess, address));
        if (waitMs > 0) return { ok: false, waitMs };
        // Before the following statement, which locks rows in an order of its own.
        await createFailureStore(database).removeBefore(unixMs(clock.now() - FAILURES_KEPT_MS));
        return count(await subjectsOf(database, guess, address));
      });
    },
  };
}

interface BlockCache {
  /** The longest wait among the subjects; 0 when none is blocked. */
  waitMs(subjects: readonly string[]): number;
  remember(held: readonly Failures[]): void;
  forget(subjects: readonly string[]): void;
}

/** Caches blocks for a moment, so that they need no database query. */
function createBlockCache(clock: Clock): BlockCache {
  const blocks = new Map<string, { readonly untilMs: number; readonly seenAtMs: number }>();
  return {
    waitMs(subjects) {
      const nowMs = clock.now();
      const waits = subjects.map((subject) => {
        const block = blocks.get(subject);
        if (block === undefined) return 0;
        const isFresh = nowMs >= block.seenAtMs && nowMs < block.seenAtMs + REMEMBERED_MS;
        if (!isFresh) blocks.delete(subject);
        return isFresh ? block.untilMs - nowMs : 0;
      });
      return Math.max(0, ...waits);
    },
    remember(held) {
      const nowMs = clock.now();
      for (const { subject, blockedUntilMs } of held) {
        if (blockedUntilMs <= nowMs) continue;
        const [oldest] = blocks.keys();
        if (blocks.size >= REMEMBERED_MAX && oldest !== undefined) blocks.delete(oldest);
        blocks.set(subject, { untilMs: blockedUntilMs, seenAtMs: nowMs });
      }
    },
    forget(subjects) {
      for (const subject of subjects) blocks.delete(subject);
    },
  };
}

function failed(before: Failures, nowMs: UnixMs): Failures {
  const isForgotten = before.lastAtMs < nowMs - FAILURES_KEPT_MS;
  const failures = (isForgotten ? 0 : before.failures) + 1;
  const waitMs = waitAfter(failures - freeFor(before.subject));
  return {
    subject: before.subject,
    failures,
    lastAtMs: nowMs,
    blockedUntilMs: unixMs(waitMs === 0 ? 0 : nowMs + waitMs),
  };
}

/** `beyond`: failures that were not free. */
export function waitAfter(beyond: number): number {
  if (beyond <= 0) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(beyond - 1, 16), LONGEST_WAIT_MS);
}

type SubjectKind = keyof typeof FREE_FAILURES;

/**
 * The subjects that a guess counts for. A browser that the person has signed in with counts for
 * itself.
 */
async function subjectsOf(
  database: Database,
  guess: Guess,
  address: string,
): Promise<readonly string[]> {
  if (guess.by !== "name" || guess.browser === null) return certainSubjects(guess, address);
  const key = nameKey(guess.name);
  if (await createKnownBrowserStore(database).isOf(guess.browser, key)) {
    const browser = Buffer.from(guess.browser).toString("base64url");
    return [addressSubject(address), subject("browser", browser)];
  }
  return certainSubjects({ ...guess, browser: null }, address);
}

/** The subjects that are known without a database query. */
function certainSubjects(guess: Guess, address: string): readonly string[] {
  const own = addressSubject(address);
  if (guess.by === "person") return [own, subject("person", guess.personId)];
  if (guess.by === "passkey" || guess.browser !== null) return [own];
  const key = nameKey(guess.name);
  const pair = JSON.stringify([key, networkOf(address)]);
  return [own, subject("name", key), subject("pair", pair)];
}

function addressSubject(address: string): string {
  return subject("address", networkOf(address));
}

/** Hashed, because a password typed in the name's field must not be stored. */
function subject(kind: SubjectKind, text: string): string {
  return `${kind}:${createHash("sha256").update(text).digest("base64url")}`;
}

function isAddress(one: string): boolean {
  return one.startsWith("address:");
}

function freeFor(one: string): number {
  const kinds: readonly SubjectKind[] = ["name", "pair", "browser", "person"];
  return FREE_FAILURES[kinds.find((kind) => one.startsWith(`${kind}:`)) ?? "address"];
}
