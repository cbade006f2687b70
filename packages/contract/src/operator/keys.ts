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
  label: string("Label of the key; may be empty."),
  addresses: list(
    string("An address or CIDR block."),
    "Addresses from which the key may be used; empty if it may be used from every address.",
  ),
  createdAtMs: time("When the key was created."),
  expiresAtMs: nullable(time("When the key expires; null if it does not expire.")),
  revokedAtMs: nullable(time("When the key was revoked; null if it was not.")),
  pausedAtMs: nullable(time("When an operator paused the key; null while it is not paused.")),
};

/** The item of `keys.list`. It never has the secret, which is stored sealed. @rule S5.R3 */
export const OPERATOR_KEY = object("An API key and its last use.", {
  ...KEY_IDS,
  externalId: nullable(id("The account's id in another system; null without one.")),
  ownerId: id("The id of the account's owner."),
  ...KEY_TERMS,
  lastUsedAtMs: nullable(time("When the key was last used; null if it never was.")),
  lastUsedFrom: nullable(string("IP address of the last use; null if the key was never used.")),
  cooldownUntilMs: nullable(
    time(
      "End of the pause of order placement after too many rejected orders; null without a pause.",
    ),
  ),
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
  accountId: string("The id of the account to which the key is bound."),
  scopes: list(word(SCOPES, "A scope."), "The scopes of the key; at least one."),
  label: optional(string("Label of the key; empty by default.")),
  addresses: optional(
    list(
      string("An address or CIDR block."),
      "Addresses from which the key may be used; every address by default.",
    ),
  ),
  expiresAtMs: optional(time("When the key expires; by default it does not expire.")),
});
export type CreateOperatorKeyRequest = Wire<typeof CREATE_KEY>;

export const CREATED_KEY = object("The new key with its secret, which no other answer contains.", {
  ...KEY_IDS,
  ...KEY_TERMS,
  secret: string("The secret of the key; no other answer contains it."),
});

export const REVOKED_KEY = object(
  "The key that was revoked. An armed dead man's switch of its account fires unless another key renews it.",
  { keyId: string("The id of the key."), ...LEFT_RUNNING_FIELDS },
);

export const REKEY_RESULT = object(
  "The result of encrypting secrets again with the newest master key.",
  {
    resealed: count("Number of secrets that were encrypted again."),
    unreadable: list(
      string(
        "The id of a key or a webhook, or `write` with the caller, row and idempotency key of a stored answer.",
      ),
      "Secrets that no configured master key can decrypt; empty if there are none.",
    ),
  },
);
