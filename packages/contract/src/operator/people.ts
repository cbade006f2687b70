import type { Role } from "../dashboard/session.ts";
import {
  boolean,
  count,
  id,
  nullable,
  object,
  optional,
  string,
  time,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import { LEFT_RUNNING_FIELDS } from "./left-running.ts";
import { describeList } from "./lists/list-description.ts";

const ROLES: readonly Role[] = ["owner", "operator"];

const PERSON_FIELDS = {
  personId: uuid("The person's id, a uuid."),
  externalId: nullable(id("The person's id in another system; null without one.")),
  name: string("The name to sign in with."),
  role: word(ROLES, "An owner sees the accounts of one owner id, an operator sees all accounts."),
  ownerId: nullable(id("The owner whose accounts the person sees; null for an operator.")),
  createdAtMs: time("When the person was added."),
  disabledAtMs: nullable(time("Since when the person cannot sign in; null while the person can.")),
};

export const OPERATOR_PERSON = object("A person who can sign in to the pages.", PERSON_FIELDS);
export type OperatorPerson = Wire<typeof OPERATOR_PERSON>;

export const PEOPLE_LIST = describeList(OPERATOR_PERSON, {
  sort: "-createdAtMs",
  ties: ["personId"],
  parts: ["name", "externalId"],
  beginnings: ["personId", "ownerId"],
  isCounted: true,
});

export const CHANGED_PERSON = object("The person after the change.", {
  ...PERSON_FIELDS,
  keys: count("How many API keys were paused or resumed."),
  ...LEFT_RUNNING_FIELDS,
});
export type ChangedPerson = Wire<typeof CHANGED_PERSON>;

export const ADD_PERSON = object("A person to add.", {
  name: string("The name to sign in with."),
  role: word(ROLES, "An owner or an operator."),
  ownerId: optional(string("For an owner only; a new owner id by default.")),
  externalId: optional(string("The person's id in another system; no two people have the same.")),
});
export type AddPersonRequest = Wire<typeof ADD_PERSON>;

export const DISABLE_PERSON = object("Options of disabling a person.", {
  pauseKeys: optional(boolean("Pauses the API keys of the person's accounts; false by default.")),
});
export type DisablePersonRequest = Wire<typeof DISABLE_PERSON>;

export const ENABLE_PERSON = object("Options of enabling a person.", {
  resumeKeys: optional(boolean("Resumes the paused keys; false by default.")),
});
export type EnablePersonRequest = Wire<typeof ENABLE_PERSON>;

export const PERSON_KEYS = object("API keys of the person's accounts; all 0 for an operator.", {
  active: count("Keys that work."),
  paused: count("Keys that an operator paused."),
});
export type PersonKeysView = Wire<typeof PERSON_KEYS>;

/** A one-time link. It is shown once. A new link replaces an earlier one, which then fails. */
export const PERSON_LINK = object("A link that lets the person choose a password.", {
  url: string("The page to open."),
  expiresAtMs: time("When it expires."),
});
export type PersonLinkView = Wire<typeof PERSON_LINK>;
