import type { AccountState } from "@propgate/core";
import { putRecent } from "./network/history/recent-entries.ts";

/** More than the programs of a firm, each in every size. */
const TERMS_MAX = 1_000;

/**
 * Gives accounts with equal terms one object for them. Terms are a large part of a state, and each object is hashed for
 * the inputs of decisions.
 */
export function createSharedTerms(): (terms: AccountState["terms"]) => AccountState["terms"] {
  const known = new Map<string, AccountState["terms"]>();
  return (terms) => {
    const key = JSON.stringify(terms);
    const value = known.get(key) ?? terms;
    putRecent(known, { key, value, max: TERMS_MAX });
    return value;
  };
}
