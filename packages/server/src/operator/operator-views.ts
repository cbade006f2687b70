import { dollars } from "@propgate/core";
import { payoutItem } from "../http/views/payouts.ts";
import { ASSET_CLASS_WORDS, SCOPE_WORDS } from "../http/wire.ts";
import type { JournalProof } from "../journal/verify-journal.ts";
import type { ApiKey, KeyUse } from "../keys/api-key.ts";
import type { Person } from "../people/person.ts";
import type { AccountPayout } from "../storage/stores/payout-store.ts";
import type { AccountLine } from "./operator-world.ts";

export function accountView(line: AccountLine) {
  return {
    accountId: line.accountId,
    ownerId: line.ownerId,
    status: line.status,
    phase: line.phase,
    programId: line.programId,
    programVersion: line.programVersion,
    size: dollars(line.size),
    assetClass: ASSET_CLASS_WORDS[line.assetClass],
    drawdownCriteria: line.criteria,
    balance: dollars(line.balance),
    openedAtMs: line.openedAtMs,
  };
}

/** The payout as its owner reads it, with what only the operator knows. */
export function payoutView({ accountId, payout }: AccountPayout) {
  return { ...payoutItem(payout), accountId, reference: payout.payment.reference };
}

/** Everything but the secret, which is not even known here. @rule S5.R3 */
export function keyView(key: ApiKey) {
  return {
    keyId: key.keyId,
    accountId: key.accountId,
    scopes: key.scopes.map((scope) => SCOPE_WORDS[scope]),
    label: key.label,
    addresses: key.addresses,
    createdAtMs: key.createdAtMs,
    expiresAtMs: key.expiresAtMs,
    revokedAtMs: key.revokedAtMs,
  };
}

export function keyUseView(key: KeyUse) {
  return {
    ...keyView(key),
    lastUsedAtMs: key.lastUsedAtMs,
    lastUsedFrom: key.lastUsedFrom,
    cooldownUntilMs: key.cooldownUntilMs,
  };
}

export function personView(person: Person) {
  const { personId, name, role, ownerId, createdAtMs, disabledAtMs } = person;
  return { personId, name, role, ownerId, createdAtMs, disabledAtMs };
}

export function journalProofView(proof: JournalProof) {
  const broken = proof.broken.map(({ accountId, seq, why }) => ({
    accountId,
    sequence: seq,
    problem: why,
  }));
  return { accounts: proof.accounts, events: proof.events, broken };
}
