import {
  count,
  id,
  list,
  nullable,
  object,
  optional,
  string,
  time,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import { SCOPES } from "../words.ts";
import { LEFT_RUNNING_FIELDS } from "./left-running.ts";
import { describeList } from "./lists/list-description.ts";

const KEY_IDS = {
  keyId: id("The key's id."),
  accountId: uuid("The account that the key is bound to."),
};

const KEY_TERMS = {
  scopes: list(word(SCOPES, "A scope."), "The scopes of the key."),
  label: string("Its name; may be empty."),
  addresses: list(
    string("An address or CIDR block."),
    "Addresses that may use it; empty if every address may.",
  ),
  createdAtMs: time("When it was created."),
  expiresAtMs: nullable(time("When it expires; null if never.")),
  revokedAtMs: nullable(time("When it was revoked; null if it was not.")),
  pausedAtMs: nullable(time("When an operator paused it; null while it is not paused.")),
};

/** The item of `keys.list`. It never has the secret, which is stored sealed. @rule S5.R3 */
export const OPERATOR_KEY = object("An API key and its last use.", {
  ...KEY_IDS,
  externalId: nullable(id("The account's id in another system; null without one.")),
  ownerId: id("The account's owner."),
  ...KEY_TERMS,
  lastUsedAtMs: nullable(time("Time of the last use; null if never used.")),
  lastUsedFrom: nullable(string("Address of the last use; null if never used.")),
  cooldownUntilMs: nullable(time("End of the pause of its orders; null if orders are not paused.")),
});
export type OperatorKey = Wire<typeof OPERATOR_KEY>;

export const KEYS_LIST = describeList(OPERATOR_KEY, {
  sort: "-createdAtMs",
  ties: ["keyId"],
  parts: ["label", "externalId"],
  beginnings: ["keyId", "accountId", "ownerId"],
  isCounted: true,
});

export const CREATE_KEY = object("A key to create.", {
  accountId: string("The account to bind it to."),
  scopes: list(word(SCOPES, "A scope."), "The scopes of the key; at least one."),
  label: optional(string("A name for it.")),
  addresses: optional(
    list(
      string("An address or CIDR block."),
      "Addresses that may use it; every address by default.",
    ),
  ),
  expiresAtMs: optional(time("When it expires; never by default.")),
});
export type CreateOperatorKeyRequest = Wire<typeof CREATE_KEY>;

export const CREATED_KEY = object("The new key; no other answer contains the secret.", {
  ...KEY_IDS,
  ...KEY_TERMS,
  secret: string("The secret; it is shown this once."),
});

export const REVOKED_KEY = object(
  "The key that was revoked. An armed switch of its account fires unless another key renews it.",
  { keyId: string("Its id."), ...LEFT_RUNNING_FIELDS },
);

export const REKEY_RESULT = object("Secrets sealed again under the newest master key.", {
  resealed: count("How many secrets were sealed again."),
  unreadable: list(
    string(
      "The id of a key or a webhook, or `write` with the caller, row and Idempotency-Key of a write.",
    ),
    "Secrets that no configured master key can decrypt.",
  ),
});
