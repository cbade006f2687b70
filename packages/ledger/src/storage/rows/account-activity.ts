import { type Event, placesEntry, type UnixMs } from "@propgate/core";

/** When an account was last used, and when it ended; null before the first time. */
export interface AccountActivity {
  /** Time of the last accepted order, edits included, cancellations not. */
  readonly lastOrderAtMs: UnixMs | null;
  /** Time of the last journal line that a key, the owner or the operator caused. */
  readonly lastActivityAtMs: UnixMs | null;
  /** Time of its elimination or closing, the first of them. */
  readonly endedAtMs: UnixMs | null;
}

export const NO_ACTIVITY: AccountActivity = {
  lastOrderAtMs: null,
  lastActivityAtMs: null,
  endedAtMs: null,
};

/** The commands of orders that keep their own place; entry orders are the others. */
const ORDER_COMMANDS: ReadonlySet<string> = new Set([
  "placeMarket",
  "closePair",
  "placeBracket",
  "editOrder",
  "flatten",
]);

/** The origins of lines that only time, prices or a validator caused. */
const UNASKED: ReadonlySet<string> = new Set(["market", "clock", "validator"]);

/** When a person or a key used the account. */
export type AccountUse = Pick<AccountActivity, "lastOrderAtMs" | "lastActivityAtMs">;

/** The use after a journal line. */
export function useAfter(
  before: AccountUse,
  line: { readonly origin: string; readonly command: string },
  atMs: UnixMs,
): AccountUse {
  const { origin, command: type } = line;
  if (UNASKED.has(origin)) return before;
  const isOrder = ORDER_COMMANDS.has(type) || placesEntry({ type });
  return { lastOrderAtMs: isOrder ? atMs : before.lastOrderAtMs, lastActivityAtMs: atMs };
}

/** The activity after a journal line. */
export function activityAfter(
  before: AccountActivity,
  line: { readonly origin: string; readonly command: string },
  event: Event,
): AccountActivity {
  const endedAtMs = before.endedAtMs ?? endOf(event);
  return { ...before, ...useAfter(before, line, event.atMs), endedAtMs };
}

function endOf(event: Event): UnixMs | null {
  if (event.type === "accountEliminated") return event.elimination.atMs;
  return event.type === "accountClosed" ? event.atMs : null;
}
