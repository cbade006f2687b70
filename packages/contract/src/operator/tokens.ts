import { count, nullable, object, string, time, type Wire } from "../schema.ts";

const TOKEN_FIELDS = {
  name: string("The name that the audit shows."),
  createdBy: string("Who added it."),
  createdAtMs: time("When it was added."),
  expiresAtMs: time("When it ends."),
  revokedAtMs: nullable(time("When it was revoked; null: it was not.")),
  lastUsedAtMs: nullable(time("Null: never used.")),
  lastUsedFrom: nullable(string("The client's address; null: never used.")),
};

export const OPERATOR_TOKEN_LINE = object(
  "A named operator token, without its secret.",
  TOKEN_FIELDS,
);
export type OperatorTokenLine = Wire<typeof OPERATOR_TOKEN_LINE>;

export const ADD_TOKEN = object("A token to add.", {
  name: string("Lower-case letters, digits, dots, hyphens and underscores."),
  expiresInHours: count("How long it lasts."),
});
export type AddTokenRequest = Wire<typeof ADD_TOKEN>;

export const ADDED_TOKEN = object("The new token; no other answer contains its secret.", {
  ...TOKEN_FIELDS,
  token: string("What to send as `Authorization: Bearer …`; it is shown this once."),
});

export const TOKEN_NAME = object("The token that was revoked.", { name: string("Its name.") });
