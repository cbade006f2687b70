import { createHash } from "node:crypto";
import { type Clock, clientNetworkOf, createSlots } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Database, PersonId } from "@propgate/ledger";
import { createFailureStore, type Failures } from "../../storage/failure-store.ts";
import { createKnownBrowserStore } from "../../storage/known-browser-store.ts";
import { nameKey } from "../../storage/person.ts";

/**
 * The number of failures of each subject that cause no wait, because people mistype and many people may share an
 * address. `address` counts a client network: one IPv4 address, or the first 64 bits of an IPv6 address. `pair` counts
 * a name together with one client network, so that a client in another one does not block the name in this one. `name`
 * counts a name over all networks, `browser` a browser that is known for the name, and `person` someone who is signed
 * in.
 */
const FREE_FAILURES = { name: 30, pair: 5, browser: 5, person: 5, address: 20 } as const;
/** The wait after the first failure beyond the free ones. Each further failure doubles it, up to `LONGEST_WAIT_MS`. */
const FIRST_WAIT_MS = 30_000;
/** Maximum wait. With a longer one an attacker could keep a person from signing in for a day. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** The failures of a subject are forgotten when none was added for this long. */
const FAILURES_KEPT_MS = 86_400_000;

/** The author of a guess. It determines the subjects whose failures are counted in addition to those of the address. */
export type Guesser =
  /**
   * A typed name. `browser` is the hash of the browser's cookie, which `known_browsers` may hold; null when the browser
   * sent none.
   */
  | { readonly by: "name"; readonly name: string; readonly browser: Uint8Array | null }
  /** A signed-in person, who is counted apart from guesses without a session. */
  | { readonly by: "person"; readonly personId: PersonId }
  /** A passkey, which needs no typed name. */
  | { readonly by: "passkey" };

/** An attempt, which counts as a failure until one of these methods is called. */
export interface StartedAttempt {
  readonly ok: true;
  /**
   * To be called when the attempt succeeded. It clears the failures of all its subjects but the address (`name` and
   * `pair`, `browser` or `person`), and subtracts this attempt from those of the address.
   */
  recordSuccess(): Promise<void>;
  /** Subtracts this attempt from the failures of all its subjects, because its password was not checked. */
  uncount(): Promise<void>;
}

/** A refused attempt has the wait in milliseconds; null when too many attempts are being counted at the moment. */
export type Attempt = StartedAttempt | { readonly ok: false; readonly waitMs: number | null };

/** Limits failed sign-ins, which are counted in the database for all nodes together. */
export interface FailureLimits {
  /**
   * Call this before a password or passkey is checked. It counts the attempt immediately, so that concurrent guesses
   * gain nothing.
   */
  begin(guess: Guesser, address: string): Promise<Attempt>;
}

/** Maximum number of concurrent transactions of `begin`, so that a flood of attempts only delays itself. */
const CONCURRENT_MAX = 2;
const WAITING_MAX = 64;
/** For this long the wait of a blocked subject is known without a database query. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

export function createFailureLimits(options: {
  readonly database: Database;
  readonly clock: Clock;
}): FailureLimits {
  const { database, clock } = options;
  const slots = createSlots(CONCURRENT_MAX);
  const blocks = createBlockCache(clock);
  const begun = (subjects: readonly string[]): StartedAttempt => ({
    ok: true,
    async recordSuccess() {
      blocks.forget(subjects);
      const store = createFailureStore(database);
      const [own, others] = [
        subjects.filter(isAddressSubject),
        subjects.filter((one) => !isAddressSubject(one)),
      ];
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
      const held = await store.lockRows(subjects);
      const waitMs = Math.max(...held.map((one) => one.blockedUntilMs - nowMs));
      if (waitMs > 0) {
        blocks.remember(held);
        return { ok: false, waitMs };
      }
      await store.write(held.map((one) => addFailure(one, nowMs)));
      return begun(subjects);
    });
  return {
    async begin(guess, address) {
      const early = blocks.waitMs(certainSubjects(guess, address));
      if (early > 0) return { ok: false, waitMs: early };
      if (slots.waiting() >= WAITING_MAX) return { ok: false, waitMs: null };
      return slots.run(async () => {
        // While this attempt waited for its turn, an earlier one may have found the block.
        const waitMs = blocks.waitMs(certainSubjects(guess, address));
        if (waitMs > 0) return { ok: false, waitMs };
        // Outdated rows are removed outside of the transaction that counts, because all locks of that transaction
        // have to be taken in one order.
        await createFailureStore(database).removeBefore(unixMs(clock.now() - FAILURES_KEPT_MS));
        return count(await subjectsOf(database, guess, address));
      });
    },
  };
}

interface BlockCache {
  /** The longest wait among the subjects, in milliseconds; 0 when none is known to be blocked. */
  waitMs(subjects: readonly string[]): number;
  remember(held: readonly Failures[]): void;
  forget(subjects: readonly string[]): void;
}

/** Remembers blocked subjects for `REMEMBERED_MS`, so that further attempts need no database query. */
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

function addFailure(before: Failures, nowMs: UnixMs): Failures {
  const isForgotten = before.lastAtMs < nowMs - FAILURES_KEPT_MS;
  const failures = (isForgotten ? 0 : before.failures) + 1;
  const waitMs = waitAfter(failures - freeFailuresOf(before.subject));
  return {
    subject: before.subject,
    failures,
    lastAtMs: nowMs,
    blockedUntilMs: unixMs(waitMs === 0 ? 0 : nowMs + waitMs),
  };
}

/**
 * The wait after `beyond` failures more than the free ones, in milliseconds, at most `LONGEST_WAIT_MS`; 0 when there
 * are none.
 */
export function waitAfter(beyond: number): number {
  if (beyond <= 0) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(beyond - 1, 16), LONGEST_WAIT_MS);
}

type SubjectKind = keyof typeof FREE_FAILURES;

/**
 * The subjects for which a guess counts. A browser in which the person has signed in before counts for itself, instead
 * of the name and the pair.
 */
async function subjectsOf(
  database: Database,
  guess: Guesser,
  address: string,
): Promise<readonly string[]> {
  if (guess.by !== "name" || guess.browser === null) return certainSubjects(guess, address);
  const key = nameKey(guess.name);
  if (await createKnownBrowserStore(database).hasSignedIn(guess.browser, key)) {
    const browser = Buffer.from(guess.browser).toString("base64url");
    return [addressSubject(address), hashSubject("browser", browser)];
  }
  return certainSubjects({ ...guess, browser: null }, address);
}

/** The subjects of a guess that are known without a database query. With a browser's cookie only the address is. */
function certainSubjects(guess: Guesser, address: string): readonly string[] {
  const own = addressSubject(address);
  if (guess.by === "person") return [own, hashSubject("person", guess.personId)];
  if (guess.by === "passkey" || guess.browser !== null) return [own];
  const key = nameKey(guess.name);
  const pair = JSON.stringify([key, clientNetworkOf(address)]);
  return [own, hashSubject("name", key), hashSubject("pair", pair)];
}

function addressSubject(address: string): string {
  return hashSubject("address", clientNetworkOf(address));
}

/** A subject, with its text hashed, because a password that was typed in the name's field must not be stored. */
function hashSubject(kind: SubjectKind, text: string): string {
  return `${kind}:${createHash("sha256").update(text).digest("base64url")}`;
}

function isAddressSubject(one: string): boolean {
  return one.startsWith("address:");
}

function freeFailuresOf(one: string): number {
  const kinds: readonly SubjectKind[] = ["name", "pair", "browser", "person"];
  return FREE_FAILURES[kinds.find((kind) => one.startsWith(`${kind}:`)) ?? "address"];
}
