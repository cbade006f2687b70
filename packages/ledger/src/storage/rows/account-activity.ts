import { type Event, placesEntry, type UnixMs } from "@propgate/core";

/** When an account was last used, and when it ended. Each time is null until its event has happened. */
export interface AccountActivity {
  /** Time of the last accepted order. Edits count as orders, cancellations do not. */
  readonly lastOrderAtMs: UnixMs | null;
  /** Time of the last journal line that a key, the owner or the operator caused. */
  readonly lastActivityAtMs: UnixMs | null;
  /** Time of its elimination or closing, the earlier of the two. */
  readonly endedAtMs: UnixMs | null;
}

/** The activity of an account without journal lines. */
export const NO_ACTIVITY: AccountActivity = {
  lastOrderAtMs: null,
  lastActivityAtMs: null,
  endedAtMs: null,
};

/** The commands that count as orders, besides those that place an entry. */
const ORDER_COMMANDS: ReadonlySet<string> = new Set([
  "placeMarket",
  "closePair",
  "placeBracket",
  "editOrder",
  "flatten",
]);

/** The origins of lines that only time, prices or a validator caused. */
const AUTOMATIC_ORIGINS: ReadonlySet<string> = new Set(["market", "clock", "validator"]);

/** The times at which a person or a key last used the account. */
export type AccountUse = Pick<AccountActivity, "lastOrderAtMs" | "lastActivityAtMs">;

/** The times of use after a journal line. */
export function accountUseAfter(
  before: AccountUse,
  line: { readonly origin: string; readonly command: string },
  atMs: UnixMs,
): AccountUse {
  const { origin, command: type } = line;
  if (AUTOMATIC_ORIGINS.has(origin)) return before;
  const isOrder = ORDER_COMMANDS.has(type) || placesEntry({ type });
  return { lastOrderAtMs: isOrder ? atMs : before.lastOrderAtMs, lastActivityAtMs: atMs };
}

/** The times of use and of the end after a journal line. */
export function activityAfter(
  before: AccountActivity,
  line: { readonly origin: string; readonly command: string },
  event: Event,
): AccountActivity {
  const endedAtMs = before.endedAtMs ?? endTimeOf(event);
  return { ...before, ...accountUseAfter(before, line, event.atMs), endedAtMs };
}

function endTimeOf(event: Event): UnixMs | null {
  if (event.type === "accountEliminated") return event.elimination.atMs;
  return event.type === "accountClosed" ? event.atMs : null;
}
