/**
 * # Access: who may call
 *
 * API keys of accounts, people with passkeys or passwords, their sessions and roles, and tokens of operators.
 *
 * ## Invariants
 * - Secrets are stored encrypted under the master key (keys) or hashed (passwords, tokens), and are shown once.
 * - A key that is revoked, expired or paused stops working on every node within a second, and waiting requests that
 *   were signed with it are ended.
 * - Each action of a person is a line of the audit, which is a chain of hashes like the journal.
 *
 * ## Limits
 * Failed sign-ins are counted in the database, for all nodes together. Wrong operator tokens are counted in each
 * process, by `server`.
 *
 * Start with `keys/key-cache.ts` and `people/`.
 */

export { checkMasterKeys, checkNeverSealed } from "./keys/check-master-keys.ts";
export { type KeyRequest, TOO_MANY_KEYS } from "./keys/create-key.ts";
export {
  createEvidenceKeys,
  type EvidenceKeys,
} from "./keys/evidence-keys.ts";
export { createKeyCache, type KeyCache, type OpenedKey } from "./keys/key-cache.ts";
export { createKeyWatch, type KeyInUse, type KeyWatch } from "./keys/key-watch.ts";
export { createKeyDesk, type KeyDesk, type OwnerKeys } from "./keys/manage-keys.ts";
export { type RekeyResult, rekey, resealEach } from "./keys/rekey.ts";
export { createSecretBox, type SecretBox } from "./keys/seal-secret.ts";
export { signatureMatches } from "./keys/signature-matches.ts";
export {
  createOperatorTokens,
  generateOperatorToken,
  type NewOperatorToken,
  OPERATOR_TOKENS_MAX,
  type OperatorTokens,
  ROOT_TOKEN_NAME,
} from "./operator-tokens/operator-tokens.ts";
export { loadOperatorToken, operatorTokenPath } from "./operator-tokens/root-token.ts";
export type { AuditLog } from "./people/audit-log.ts";
export { linkUrl } from "./people/one-time-links.ts";
export type {
  AssertionReply,
  AttestationReply,
} from "./people/passkeys/passkey-ceremony.ts";
export { PASSKEYS_OF_PERSON_MAX, type PasskeyOwner } from "./people/passkeys/passkeys.ts";
export { type RelyingParty, relyingPartyOf } from "./people/passkeys/relying-party.ts";
export { passwordProblem } from "./people/passwords/easy-password.ts";
export type { PasswordCost } from "./people/passwords/password.ts";
export { createPeopleDesk, type PeopleDesk } from "./people/people-desk.ts";
export {
  hasOneScript,
  hasOnlyVisibleCharacters,
  isFreeForPeople,
  TOKEN_IN_AUDIT,
} from "./people/person-name.ts";
export type { NewPerson } from "./people/roster.ts";
export { idleEndMs, type NewSession, type Sessions } from "./people/sessions.ts";
export type { SignInRefusal } from "./people/sign-in.ts";
export type { ApiKey, KeyScope, KeyUse } from "./storage/api-key.ts";
export type { FirstKey } from "./storage/first-key.ts";
export { createKeyStore } from "./storage/key-store.ts";
export type { Passkey } from "./storage/passkey.ts";
export { nameKey, type Person } from "./storage/person.ts";
export type { CallOrigin, PersonalSession } from "./storage/session.ts";
export { CONFIRMATION_LIFE_MS, isConfirmed, SESSION_LIFE_MS } from "./storage/session.ts";
export { createShardedKeys } from "./storage/sharded-keys.ts";
