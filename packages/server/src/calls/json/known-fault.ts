import {
  ClockIsWrong,
  DatabaseClockIsWrong,
  DataReadOnly,
  isUnavailable,
  NotOwner,
  NotWritten,
  UnknownFate,
} from "@propgate/ledger";
import { type RefusedReply, refusedReply } from "./json-reply.ts";

/** The audit has the call although it is a 503: an earlier step of it may have changed data. */
const MAY_HAVE_BEGUN = { about: {} } as const;

/** The refusal while the account moves to another node. The failed step changed no data. */
const OWNER_CHANGING: RefusedReply = {
  ...MAY_HAVE_BEGUN,
  ...refusedReply(
    "The account is moving to another node; look at it, then try again in a second",
    503,
  ),
  headers: { "Retry-After": "1" },
};

/** The refusal when the database rejected the command. The failed step changed no data. */
const NOT_WRITTEN: RefusedReply = {
  ...MAY_HAVE_BEGUN,
  ...refusedReply("The database rejected the command; look at the account, then try again", 503),
  headers: { "Retry-After": "1" },
};

const READ_ONLY: RefusedReply = refusedReply(
  "The data were restored and may only be read until an operator confirms that. Nothing was changed",
  503,
);

/** The refusal of a call while the clock of this node is wrong. */
export const CLOCK_IS_WRONG: RefusedReply = {
  ...refusedReply(
    "The clock of this node is wrong. Nothing was changed; try again at another node",
    503,
  ),
  headers: { "Retry-After": "1" },
};

const DATABASE_CLOCK_IS_WRONG: RefusedReply = {
  ...refusedReply("The clock of the account's database is wrong. Nothing was changed", 503),
  headers: { "Retry-After": "1" },
};

const DATABASE_UNREACHABLE: RefusedReply = {
  ...refusedReply("The database does not answer. Nothing was changed; try again in a second", 503),
  headers: { "Retry-After": "1" },
};

const UNKNOWN_FATE_OF_WRITE = {
  code: "unknown_fate",
  about: { detail: "not known whether it was carried out" },
} as const;

/** The refusal when it is not known whether the failed step was carried out. The account shows that later. */
const UNKNOWN_FATE: RefusedReply = {
  ...refusedReply(
    "It is not known whether the command was carried out. Look at the account before you try again",
    503,
  ),
  ...UNKNOWN_FATE_OF_WRITE,
};

/** The refusal of a write that fails in an outage of the database. A part of the write may be stored. */
const WRITE_IN_OUTAGE: RefusedReply = {
  ...refusedReply(
    "The database does not answer, so it is not known whether the call was carried out. Look before you repeat it",
    503,
  ),
  ...UNKNOWN_FATE_OF_WRITE,
  headers: { "Retry-After": "1" },
};

/**
 * The answer to a fault that clients can act on; null for any other fault. `isBegun` is true for a write of an admitted
 * caller, of which a part may be stored.
 */
export function knownFaultReply(cause: unknown, isBegun: boolean): RefusedReply | null {
  if (cause instanceof NotOwner) return OWNER_CHANGING;
  if (cause instanceof DataReadOnly) return READ_ONLY;
  if (cause instanceof DatabaseClockIsWrong) return DATABASE_CLOCK_IS_WRONG;
  if (cause instanceof ClockIsWrong) return CLOCK_IS_WRONG;
  if (cause instanceof NotWritten) return NOT_WRITTEN;
  if (cause instanceof UnknownFate) return UNKNOWN_FATE;
  if (!isUnavailable(cause)) return null;
  return isBegun ? WRITE_IN_OUTAGE : DATABASE_UNREACHABLE;
}
