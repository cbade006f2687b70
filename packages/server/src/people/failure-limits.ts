import { createHash } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Database } from "../storage/database.ts";
import { type Failures, failureStore } from "../storage/stores/people/failure-store.ts";
import { nameKey } from "./person.ts";

/** Failures that cost nothing: a person mistypes, and behind one address there may be many. */
export const FREE_FAILURES = { name: 5, address: 20 } as const;
/** The wait after the first failure that is not free; it doubles with each. */
export const FIRST_WAIT_MS = 30_000;
/** Longer, and somebody could keep a person out for the day. */
export const LONGEST_WAIT_MS = 15 * 60_000;
/** Failures are forgotten when there was none for so long. */
export const FAILURES_KEPT_MS = 86_400_000;

export type Attempt = { readonly ok: true } | { readonly ok: false; readonly waitMs: number };

/** How often somebody may guess. Counted in the database, for all nodes together. */
export interface FailureLimits {
  /**
   * To be asked before a password is looked at: it counts at once, so that guesses side by side
   * gain nothing. `name` null: the address alone.
   */
  begin(name: string | null, address: string): Promise<Attempt>;
  /** It was no guess: the name's failures are forgotten, and this one of the address. */
  succeeded(name: string | null, address: string): Promise<void>;
  /** The password was not looked at after all. */
  takeBack(name: string | null, address: string): Promise<void>;
}

export function createFailureLimits(need: {
  readonly database: Database;
  readonly clock: Clock;
}): FailureLimits {
  const { database, clock } = need;
  return {
    async begin(name, address) {
      const nowMs = clock.now();
      // Apart from what follows, which locks rows in an order of its own.
      await failureStore(database).removeBefore(unixMs(nowMs - FAILURES_KEPT_MS));
      return database.transaction(async (transaction) => {
        const store = failureStore(transaction);
        const held = await store.hold(subjectsOf(name, address));
        const waitMs = Math.max(...held.map((one) => one.blockedUntilMs - nowMs));
        if (waitMs > 0) return { ok: false, waitMs };
        await store.write(held.map((one) => failed(one, nowMs)));
        return { ok: true };
      });
    },
    async succeeded(name, address) {
      const store = failureStore(database);
      if (name !== null) await store.remove(subject("name", nameKey(name)));
      await store.takeBack([subject("address", networkOf(address))]);
    },
    takeBack: (name, address) => failureStore(database).takeBack(subjectsOf(name, address)),
  };
}

function failed(before: Failures, nowMs: UnixMs): Failures {
  const isForgotten = before.lastAtMs < nowMs - FAILURES_KEPT_MS;
  const failures = (isForgotten ? 0 : before.failures) + 1;
  const free = before.subject.startsWith("name:") ? FREE_FAILURES.name : FREE_FAILURES.address;
  const waitMs = waitAfter(failures - free);
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

function subjectsOf(name: string | null, address: string): readonly string[] {
  const own = subject("address", networkOf(address));
  return name === null ? [own] : [own, subject("name", nameKey(name))];
}

/** Hashed: a password that was typed in the name's place must not stand in a table. */
function subject(kind: keyof typeof FREE_FAILURES, text: string): string {
  return `${kind}:${createHash("sha256").update(text).digest("base64url")}`;
}

/** The address, or of IPv6 the 64 bits that one customer of a provider is given whole. */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped;
  const [left = "", right] = (mapped.split("%")[0] ?? "").split("::");
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}

function groups(text: string): readonly string[] {
  // An IPv4 part at the end takes the place of two groups.
  return text
    .split(":")
    .filter(Boolean)
    .flatMap((group) =>
      group.includes(".") ? ["0", "0"] : [Number.parseInt(group, 16).toString(16)],
    );
}
