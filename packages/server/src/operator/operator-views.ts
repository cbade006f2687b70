import type { Scope } from "@propgate/contract";
import { type AccountClass, dollars } from "@propgate/core";
import type { JournalProof } from "../journal/verify-journal.ts";
import type { ApiKey, KeyScope, KeyUse } from "../keys/api-key.ts";
import type { AccountLine } from "./operator-world.ts";

/** The wire's word for what an account may trade. */
const CLASS_WORDS = {
  crypto: "crypto",
  forex: "forex",
  indices: "indices",
  equities: "equities",
  commodities: "commodities",
  allMarkets: "all_markets",
} as const satisfies Record<AccountClass, string>;

const SCOPE_WORDS = {
  read: "trade:read",
  place: "trade:place",
} as const satisfies Record<KeyScope, Scope>;

export function accountView(line: AccountLine) {
  return {
    accountId: line.accountId,
    ownerId: line.ownerId,
    status: line.status,
    phase: line.phase,
    size: dollars(line.size),
    assetClass: CLASS_WORDS[line.assetClass],
    drawdownCriteria: line.criteria,
    balance: dollars(line.balance),
    openedAtMs: line.openedAtMs,
  };
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

export function journalProofView(proof: JournalProof) {
  const broken = proof.broken.map(({ accountId, seq, why }) => ({
    accountId,
    sequence: seq,
    problem: why,
  }));
  return { accounts: proof.accounts, events: proof.events, broken };
}
