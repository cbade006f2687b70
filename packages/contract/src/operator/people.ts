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
  name: string("The name with which the person signs in."),
  role: word(ROLES, "`owner`: sees the accounts of one owner id. `operator`: sees all accounts."),
  ownerId: nullable(
    id("The id of the owner whose accounts the person sees; null for an operator."),
  ),
  createdAtMs: time("When the person was added."),
  disabledAtMs: nullable(
    time(
      "When the person was disabled and could no longer sign in; null while the person can sign in.",
    ),
  ),
};

export const OPERATOR_PERSON = object("A person who can sign in to the dashboard.", PERSON_FIELDS);
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
  keys: count("Number of API keys that were paused or resumed."),
  ...LEFT_RUNNING_FIELDS,
});
export type ChangedPerson = Wire<typeof CHANGED_PERSON>;

export const ADD_PERSON = object("A person to add.", {
  name: string("The name with which the person signs in."),
  role: word(ROLES, "`owner`: sees the accounts of one owner id. `operator`: sees all accounts."),
  ownerId: optional(
    string("The owner id of a person with the role `owner`; by default a new one is created."),
  ),
  externalId: optional(
    string("The person's id in another system. It must differ from that of every other person."),
  ),
});
export type AddPersonRequest = Wire<typeof ADD_PERSON>;

export const DISABLE_PERSON = object("Options of disabling a person.", {
  pauseKeys: optional(
    boolean("True also pauses the API keys of the person's accounts; the default is false."),
  ),
});
export type DisablePersonRequest = Wire<typeof DISABLE_PERSON>;

export const ENABLE_PERSON = object("Options of enabling a person.", {
  resumeKeys: optional(
    boolean(
      "True also resumes the paused API keys of the person's accounts; the default is false.",
    ),
  ),
});
export type EnablePersonRequest = Wire<typeof ENABLE_PERSON>;

export const PERSON_KEYS = object(
  "The API keys of the person's accounts; both numbers are 0 for an operator.",
  {
    active: count("Number of keys that can be used."),
    paused: count("Number of keys that an operator paused."),
  },
);
export type PersonKeysView = Wire<typeof PERSON_KEYS>;

/** A one-time link. It is shown once. A new link replaces an earlier one, which then fails. */
export const PERSON_LINK = object("A one-time link with which the person chooses a password.", {
  url: string("The address of the page to open."),
  expiresAtMs: time("When the link expires."),
});
export type PersonLinkView = Wire<typeof PERSON_LINK>;
