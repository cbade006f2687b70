import { count, id, nullable, object, optional, string, time, type Wire } from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

const TOKEN_FIELDS = {
  name: id("The name of the token, which the audit log shows."),
  createdBy: string("The operator who added the token."),
  createdAtMs: time("When the token was added."),
  expiresAtMs: time("When the token expires."),
  revokedAtMs: nullable(time("When the token was revoked; null if it was not.")),
  lastUsedAtMs: nullable(time("When the token was last used; null if it never was.")),
  lastUsedFrom: nullable(string("IP address of the last use; null if the token was never used.")),
};

export const OPERATOR_TOKEN_LINE = object(
  "A named operator token, without its value.",
  TOKEN_FIELDS,
);
export type OperatorTokenLine = Wire<typeof OPERATOR_TOKEN_LINE>;

export const TOKENS_LIST = describeList(OPERATOR_TOKEN_LINE, {
  sort: "-createdAtMs",
  ties: ["name"],
  parts: ["name"],
});

export const ADD_TOKEN = object("A token to add.", {
  name: string("Name of the token: lower-case letters, digits, dots, hyphens and underscores."),
  expiresInHours: count("Hours until the token expires."),
  succeeds: optional(
    string(
      "The name of an older token, or `root`. The new token may repeat that token's writes with their idempotency keys.",
    ),
  ),
});
export type AddTokenRequest = Wire<typeof ADD_TOKEN>;

export const ADDED_TOKEN = object("The new token with its value, which no other answer contains.", {
  ...TOKEN_FIELDS,
  token: string("The value for `Authorization: Bearer …`; no other answer contains it."),
});

/** The answer of `tokens.revoke`: the name of the revoked token. */
export const TOKEN_NAME = object("The token that was revoked.", {
  name: string("The name of the token."),
});
