import type { ApiKey, Person } from "@propgate/access";
import type {
  AuditProofView,
  ClosedAccount,
  JournalProofView,
  OperatorKey,
  OperatorPerson,
} from "@propgate/contract";
import { type AccountId, dollars } from "@propgate/core";
import type { AuditProof, ClosedRewards, JournalProof } from "@propgate/ledger";
import { SCOPE_WORDS } from "@propgate/wire";

/** The answer to a closing. Both amounts are null for an account of a validator. @rule D13.closing */
export function closedView(accountId: AccountId, rewards: ClosedRewards | null): ClosedAccount {
  const payout = rewards?.payout ?? null;
  return {
    accountId,
    payout: payout === null ? null : { id: payout.id, amount: dollars(payout.amount) },
    forfeited: rewards === null ? null : dollars(rewards.forfeited),
  };
}

/** A key without its secret, which is stored sealed. @rule S5.R3 */
export function keyView(
  key: ApiKey,
): Omit<
  OperatorKey,
  "externalId" | "ownerId" | "lastUsedAtMs" | "lastUsedFrom" | "cooldownUntilMs"
> {
  return {
    keyId: key.keyId,
    accountId: key.accountId,
    scopes: key.scopes.map((scope) => SCOPE_WORDS[scope]),
    label: key.label,
    addresses: key.addresses,
    createdAtMs: key.createdAtMs,
    expiresAtMs: key.expiresAtMs,
    revokedAtMs: key.revokedAtMs,
    pausedAtMs: key.pausedAtMs,
  };
}

export function personView(person: Person): OperatorPerson {
  const { personId, externalId, name, role, ownerId, createdAtMs, disabledAtMs } = person;
  return { personId, externalId, name, role, ownerId, createdAtMs, disabledAtMs };
}

export function auditProofView({ lines, head, broken }: AuditProof): AuditProofView {
  const first = broken === null ? null : { auditId: broken.auditId, problem: broken.why };
  return { lines, head, broken: first };
}

export function journalProofView(proof: JournalProof): JournalProofView {
  const broken = proof.broken.map(({ accountId, seq, why }) => ({
    accountId,
    sequence: seq,
    problem: why,
  }));
  return { accounts: proof.accounts, events: proof.events, broken };
}
