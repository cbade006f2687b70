import type { AccountState, Elimination } from "../state/account.ts";
import { type UnixMs, unixMs } from "../units.ts";

/**
 * When the account is eliminated if it stays inactive. Null before its first order, and in a transition, which accepts
 * no order that opens. @rule D13.idle @rule D7.inactivity decides
 */
export function inactivityDueMs({
  idleSinceMs,
  phase,
  terms,
}: Pick<AccountState, "idleSinceMs" | "phase" | "terms">): UnixMs | null {
  if (idleSinceMs === null || phase === "proTransition") return null;
  return unixMs(idleSinceMs + terms.inactivityMs);
}

/**
 * The elimination of an inactive account. Its time is the due time, even when the work runs late; no limit was
 * breached. @rule D7.inactivity
 */
export function inactivityElimination(dueMs: UnixMs): Elimination {
  return { cause: { kind: "inactivity" }, atMs: dueMs, drawdownPct: null };
}
