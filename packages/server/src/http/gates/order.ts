import { account } from "./account.ts";
import { boundAccount } from "./bound-account.ts";
import { credentials } from "./credentials.ts";
import type { AdmittedFacts, Gate, KeyedFacts, Rejection, RequestFacts } from "./facts.ts";
import { failureGuard } from "./failure-guard.ts";
import { activeKey, openableSecret, stillActiveKey } from "./key.ts";
import { nonce } from "./nonce.ts";
import { readBudget } from "./read-budget.ts";
import { scope } from "./scope.ts";
import { signature } from "./signature.ts";
import { timestampForm, timestampSkew } from "./timestamp.ts";

/**
 * The one order of checks, and so the precedence of errors. Checks 1 to 6 need memory only and
 * store nothing; between 6 and 7 the database admits the request, which uses up its nonce. Check
 * 12, the query or body itself, is the endpoint's. @rule D2.order
 */
export const STRANGER_GATES: readonly Gate<RequestFacts>[] = [
  { place: 1, name: "credentials", check: credentials },
  { place: 2, name: "timestampForm", check: timestampForm },
  { place: 3, name: "timestampSkew", check: timestampSkew },
];

export const KEY_GATES: readonly Gate<KeyedFacts>[] = [
  { place: 4, name: "activeKey", check: activeKey },
  { place: 5, name: "openableSecret", check: openableSecret },
  { place: 6, name: "signature", check: signature },
];

export const ADMITTED_GATES: readonly Gate<AdmittedFacts>[] = [
  // Memory may be behind another node's revocation; the database is not.
  { place: 4, name: "stillActiveKey", check: stillActiveKey },
  { place: 7, name: "nonce", check: nonce },
  { place: 8, name: "scope", check: scope },
  { place: 9, name: "readBudget", check: readBudget },
  { place: 9, name: "failureGuard", check: failureGuard },
  { place: 10, name: "boundAccount", check: boundAccount },
  { place: 11, name: "account", check: account },
];

/** The first gate that says no. */
export function stoppedBy<Facts>(gates: readonly Gate<Facts>[], facts: Facts): Rejection | null {
  for (const gate of gates) {
    const rejection = gate.check(facts);
    if (rejection !== null) return rejection;
  }
  return null;
}
