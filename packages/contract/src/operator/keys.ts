import {
  count,
  list,
  nullable,
  object,
  optional,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { SCOPES } from "../words.ts";

const KEY_FIELDS = {
  keyId: string("The key's id."),
  accountId: string("The account that the key is bound to."),
  scopes: list(word(SCOPES, "A scope."), "What the key may do."),
  label: string("Its name; may be empty."),
  addresses: list(
    string("An address or CIDR block."),
    "Where it may be used from; empty: anywhere.",
  ),
  createdAtMs: time("When it was created."),
  expiresAtMs: nullable(time("When it ends; null: never.")),
  revokedAtMs: nullable(time("When it was revoked; null: it was not.")),
  pausedAtMs: nullable(time("When an operator paused it; null: it is not paused.")),
};

/** Never the secret, which is stored sealed. @rule S5.R3 */
export const OPERATOR_KEY = object("An API key and its last use.", {
  ...KEY_FIELDS,
  lastUsedAtMs: nullable(time("Null: never used.")),
  lastUsedFrom: nullable(string("The client's address; null: never used.")),
  cooldownUntilMs: nullable(time("Until when it may place no orders; null: it may.")),
});
export type OperatorKey = Wire<typeof OPERATOR_KEY>;

export const CREATE_KEY = object("A key to create.", {
  accountId: string("The account to bind it to."),
  scopes: list(word(SCOPES, "A scope."), "What it may do; at least one."),
  label: optional(string("A name for it.")),
  addresses: optional(list(string("An address or CIDR block."), "Where it may be used from.")),
  expiresAtMs: optional(time("When it ends; never unless given.")),
});
export type CreateOperatorKeyRequest = Wire<typeof CREATE_KEY>;

export const CREATED_KEY = object("The new key; no other answer contains the secret.", {
  ...KEY_FIELDS,
  secret: string("The secret; it is shown this once."),
});

export const KEY_ID = object("The key that was revoked.", { keyId: string("Its id.") });

export const REKEYING = object("Secrets sealed again under the newest master key.", {
  resealed: count("How many secrets were sealed again."),
  unreadable: list(string("A key's id."), "Keys whose secret no configured master key opens."),
});
