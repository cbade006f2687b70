import { assert } from "../assert.ts";
import type { AccountState, Day } from "../state/account.ts";
import type { AccountEliminated, AccountOpened, AccountProvisioned } from "../state/event.ts";
import { startOfUtcDay } from "../time/utc-day.ts";
import { type MicroUsd, microUsd, ratio, type UnixMs } from "../units.ts";
import { withoutSwitch } from "./dead-mans-switch.ts";

/**
 * A new account in its challenge. The balance, the equity at the day's start and the high-water mark begin at the size.
 * @rule D4.firstDay decides
 */
export function applyAccountOpened(
  before: AccountState | null,
  event: AccountOpened,
): AccountState {
  assert(before === null, "an account is opened once");
  const { size } = event.terms;
  return {
    accountId: event.accountId,
    ownerId: event.ownerId,
    status: event.provisioned ? "active" : "provisioning",
    phase: "challenge",
    phaseStartedAtMs: event.atMs,
    // The account keeps its own copy of the terms, which no later version of the program changes.
    // @rule D7.terms decides
    terms: event.terms,
    standardSize: size,
    openedAtMs: event.atMs,
    realized: microUsd(0),
    fees: microUsd(0),
    positions: [],
    orders: [],
    day: firstDay(event.atMs, size),
    endOfDay: { equity: size, highWater: size },
    record: { trades: 0, wins: 0, netPnl: microUsd(0), heldMs: 0 },
    lastOrderAtMs: {},
    idleSinceMs: null,
    carriedToMs: event.atMs,
    earning: null,
    unpaid: [],
    pro: null,
    elimination: null,
  };
}

/**
 * Makes the account active. Its first day is the present one: days before provisioning do not count. @rule D8.states
 */
export function applyAccountProvisioned(
  state: AccountState,
  event: AccountProvisioned,
): AccountState {
  const day = firstDay(event.atMs, state.terms.size);
  return { ...state, status: "active", day, phaseStartedAtMs: event.atMs };
}

function firstDay(at: UnixMs, size: MicroUsd): Day {
  return { startMs: startOfUtcDay(at), startEquity: size, earlierReturn: ratio(0) };
}

/** The account after it was closed: its dead man's switch and the cycle in progress end. */
export function applyAccountClosed(state: AccountState): AccountState {
  return { ...withoutSwitch(state), status: "closed", earning: null };
}

/**
 * The account after its elimination, which is recorded once. Payouts of closed cycles stay due; the cycle in progress
 * is lost, and the dead man's switch ends. @rule S2.1.3 decides
 */
export function applyAccountEliminated(
  state: AccountState,
  event: AccountEliminated,
): AccountState {
  assert(state.elimination === null, "an elimination is recorded once");
  const { elimination } = event;
  return { ...withoutSwitch(state), status: "eliminated", earning: null, elimination };
}
