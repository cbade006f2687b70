import type { Event } from "@propgate/core";
import type { Line } from "./journal-feed.ts";

/** What only ever comes behind another event of its own command. */
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
 * Whether two lines, one behind the other, are for sure of one command and so of one commit. The
 * journal does not say where a command of the market or the clock ends, so for those it may be no
 * although it is.
 */
export function isOneCommand(before: Line, line: Line): boolean {
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
  if (event.type === "orderCancelled") return event.reason === "positionClosed";
  return FOLLOWERS.has(event.type);
}

/** Done by the network on the way to an end of the account or of its phase. */
function isForced(event: Event): boolean {
  if (event.type === "orderFilled")
    return event.kind === "elimination" || event.kind === "phaseEnd";
  if (event.type === "positionClosed") return event.trade.status === "liquidated";
  if (event.type !== "orderCancelled") return false;
  return event.reason === "accountEnded" || event.reason === "phaseEnded";
}
