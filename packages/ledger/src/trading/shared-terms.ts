import type { AccountState } from "@propgate/core";
import { putRecent } from "./network/history/recent-entries.ts";

/** The maximum number of different terms: more than the programs of a firm, each in every size. */
const TERMS_MAX = 1_000;

/**
 * Gives accounts with equal terms the same object. Terms are a large part of a state, and the inputs of decisions hash
 * each object.
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
