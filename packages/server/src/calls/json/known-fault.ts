import { ClockIsWrong, DataReadOnly, NotOwner, UnknownFate } from "@propgate/ledger";
import { type RefusedReply, refused } from "./json-reply.ts";

/** The failed step changed nothing; an earlier one of the same call may have. */
const OWNER_CHANGING: RefusedReply = {
  ...refused("The account is moving to another node; look at it, then try again in a second", 503),
  headers: { "Retry-After": "1" },
};

const READ_ONLY: RefusedReply = refused(
  "The data were restored and may only be read until an operator confirms that. Nothing was changed",
  503,
);

export const CLOCK_IS_WRONG: RefusedReply = {
  ...refused(
    "The clock of this node is wrong. Nothing was changed; try again at another node",
    503,
  ),
  headers: { "Retry-After": "1" },
};

/** The account shows later whether the failed step was carried out. */
const UNKNOWN_FATE: RefusedReply = {
  ...refused(
    "It is not known whether the command was carried out. Look at the account before you try again",
    503,
  ),
  code: "unknown_fate",
  about: { detail: "not known whether it was carried out" },
};

/** The answer to a fault that clients can act on; null for every other one. */
export function knownFault(cause: unknown): RefusedReply | null {
  if (cause instanceof NotOwner) return OWNER_CHANGING;
  if (cause instanceof DataReadOnly) return READ_ONLY;
  if (cause instanceof ClockIsWrong) return CLOCK_IS_WRONG;
  return cause instanceof UnknownFate ? UNKNOWN_FATE : null;
}
