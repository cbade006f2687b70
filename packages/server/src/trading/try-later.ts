import { AheadOfQuotes } from "./executor-port.ts";
import { NotOwner } from "./ownership.ts";

/** True when nothing happened, because another node owns the account or has decided it at newer quotes. */
export function isForLater(cause: unknown): boolean {
  return cause instanceof AheadOfQuotes || cause instanceof NotOwner;
}
