import type { AccountState, Elimination } from "../state/account.ts";
import { type UnixMs, unixMs } from "../units.ts";

/** When the account ends if it stays inactive; null before its first order. @rule D7.inactivity */
export function inactivityDueMs({
  lastActiveAtMs,
  terms,
}: Pick<AccountState, "lastActiveAtMs" | "terms">): UnixMs | null {
  return lastActiveAtMs === null ? null : unixMs(lastActiveAtMs + terms.inactivityMs);
}

/** The elimination at its due time, even when the work runs late. No limit was breached. @rule D7.inactivity */
export function inactivityElimination(dueMs: UnixMs): Elimination {
  return { cause: { kind: "inactivity" }, atMs: dueMs, drawdownPct: null };
}
