import type { OpenedKey } from "@propgate/access";
import type { Rejection } from "@propgate/wire";
import { checkAccount } from "./account.ts";
import { checkBoundAccount } from "./bound-account.ts";
import { checkCredentials } from "./credentials.ts";
import type { AdmittedFacts, Gate, RequestHead } from "./facts.ts";
import { checkFailureGuard } from "./failure-guard.ts";
import { checkActiveKey, checkOpenableSecret, checkStillActiveKey } from "./key.ts";
import { checkNonce } from "./nonce.ts";
import { checkOffered } from "./offered.ts";
import { checkReadBudget } from "./read-budget.ts";
import { checkReceiptBudget } from "./receipt-budget.ts";
import { checkRefusedOften } from "./refused-often.ts";
import { checkScope } from "./scope.ts";
import { checkSignature } from "./signature.ts";
import { checkTimestampForm, checkTimestampSkew } from "./timestamp.ts";

/**
 * The order of checks is this list and the three after it, one after the other. Checks 1 to 6 store no data, and read
 * only memory once the key's row has been read. Checks 1 to 5 run before the body is received. Between 6 and 7 the
 * database admits the request, which uses its nonce. Check 12, of the content type, the body and the rest of the query,
 * belongs to the endpoint. @rule D2.order
 */
export const HEAD_GATES: readonly Gate<RequestHead>[] = [
  { place: 1, name: "credentials", check: checkCredentials },
  { place: 2, name: "timestampForm", check: checkTimestampForm },
  { place: 3, name: "timestampSkew", check: checkTimestampSkew },
];

/** The checks of the key, which run when it has been looked up and before the body is received. */
export const KEY_GATES: readonly Gate<{
  readonly known: OpenedKey | null;
  readonly address: string;
}>[] = [
  { place: 4, name: "activeKey", check: checkActiveKey },
  { place: 5, name: "openableSecret", check: checkOpenableSecret },
];

/** The check of the signature. It runs when the body has been received. */
export const SIGNATURE_GATES: readonly Gate<{ readonly signatureMatches: boolean }>[] = [
  { place: 6, name: "signature", check: checkSignature },
];

/** The checks after the database has admitted the request. */
export const ADMITTED_GATES: readonly Gate<AdmittedFacts>[] = [
  // This node's memory may not show yet that another node has revoked the key. The database shows it.
  { place: 4, name: "stillActiveKey", check: checkStillActiveKey },
  { place: 7, name: "nonce", check: checkNonce },
  { place: 8, name: "scope", check: checkScope },
  { place: 9, name: "refusedOften", check: checkRefusedOften },
  // Check 9: the budgets of reads and of receipts, and for POST orders the cooldown of the failure guard.
  // @rule D2.9 decides
  { place: 9, name: "readBudget", check: checkReadBudget },
  { place: 9, name: "receiptBudget", check: checkReceiptBudget },
  { place: 9, name: "failureGuard", check: checkFailureGuard },
  { place: 10, name: "boundAccount", check: checkBoundAccount },
  { place: 11, name: "account", check: checkAccount },
  { place: 11, name: "offered", check: checkOffered },
];

/**
 * Runs the gates of a list in their order. The first rejection is the answer, and no later gate runs; null when all
 * pass. @rule D2.order decides
 */
export function firstRejection<Facts>(
  gates: readonly Gate<Facts>[],
  facts: Facts,
): Rejection | null {
  for (const gate of gates) {
    const rejection = gate.check(facts);
    if (rejection !== null) return rejection;
  }
  return null;
}
