import type { Event } from "@propgate/core";
import type { JournalLine } from "./journal-reader.ts";

/** Events that always follow another event of the same command. */
const FOLLOWERS: ReadonlySet<Event["type"]> = new Set([
  "legsAttached",
  "positionClosed",
  "softBreached",
  "orderHeld",
]);

const ENDS: ReadonlySet<Event["type"]> = new Set([
  "accountEliminated",
  "accountClosed",
  "challengePassed",
  "proStarted",
]);

/**
 * True when two successive lines certainly belong to one command, and so to one commit. The journal does not show where
 * a command of the market or the clock ends, so two lines of such a command may give false.
 */
export function areOfOneCommand(before: JournalLine, line: JournalLine): boolean {
  const isAlike =
    before.command === line.command &&
    before.origin === line.origin &&
    before.keyId === line.keyId &&
    before.nonce === line.nonce &&
    before.atMs === line.atMs;
  if (!isAlike) return false;
  if (line.nonce !== null || isFollower(line.event)) return true;
  return isForced(before.event) && (isForced(line.event) || ENDS.has(line.event.type));
}

function isFollower(event: Event): boolean {
  if (event.type === "orderCancelled") {
    return event.reason === "positionClosed" || event.reason === "switch";
  }
  return FOLLOWERS.has(event.type);
}

/** True for a fill, a closed position or a cancelled order that the end of the account or of its phase has caused. */
function isForced(event: Event): boolean {
  if (event.type === "orderFilled")
    return event.kind === "elimination" || event.kind === "phaseEnd";
  if (event.type === "positionClosed") return event.trade.status === "liquidated";
  if (event.type !== "orderCancelled") return false;
  return event.reason === "accountEnded" || event.reason === "phaseEnded";
}
