import { count, id, nullable, object, optional, string, time, type Wire } from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

const TOKEN_FIELDS = {
  name: id("The name that the audit shows."),
  createdBy: string("The operator who added the token."),
  createdAtMs: time("When it was added."),
  expiresAtMs: time("When it expires."),
  revokedAtMs: nullable(time("When it was revoked; null if it was not.")),
  lastUsedAtMs: nullable(time("Time of the last use; null if never used.")),
  lastUsedFrom: nullable(string("Address of the last use; null if never used.")),
};

export const OPERATOR_TOKEN_LINE = object(
  "A named operator token, without its secret.",
  TOKEN_FIELDS,
);
export type OperatorTokenLine = Wire<typeof OPERATOR_TOKEN_LINE>;

export const TOKENS_LIST = describeList(OPERATOR_TOKEN_LINE, {
  sort: "-createdAtMs",
  ties: ["name"],
  parts: ["name"],
});

export const ADD_TOKEN = object("A token to add.", {
  name: string("Lower-case letters, digits, dots, hyphens and underscores."),
  expiresInHours: count("Hours until it expires."),
  succeeds: optional(
    string("A token, or `root`, whose writes the new one may repeat with their keys."),
  ),
});
export type AddTokenRequest = Wire<typeof ADD_TOKEN>;

export const ADDED_TOKEN = object("The new token; no other answer contains its secret.", {
  ...TOKEN_FIELDS,
  token: string("The value for `Authorization: Bearer …`; it is shown only once."),
});

/** The answer of `tokens.revoke`: the name of the revoked token. */
export const TOKEN_NAME = object("The token that was revoked.", { name: string("Its name.") });
