import type { AccountState, Elimination } from "../account/account.ts";
import { type UnixMs, unixMs } from "../units.ts";

/** When an account that does nothing from here on ends; null: it has never ordered anything. @rule D7.inactivity */
export function inactivityDueMs({
  lastActiveAtMs,
  terms,
}: Pick<AccountState, "lastActiveAtMs" | "terms">): UnixMs | null {
  return lastActiveAtMs === null ? null : unixMs(lastActiveAtMs + terms.inactivityMs);
}

/** No limit was passed, and the moment is the rule's own, however late it was seen. @rule D7.inactivity */
export function inactivityElimination(dueMs: UnixMs): Elimination {
  return { reason: "INACTIVE", atMs: dueMs, drawdownPct: null };
}
