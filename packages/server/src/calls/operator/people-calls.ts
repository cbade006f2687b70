import type { Person } from "@propgate/access";
import type { ChangedPerson, PersonKeysView } from "@propgate/contract";
import { ownerId } from "@propgate/core";
import type { ExternalId, PersonId } from "@propgate/ledger";
import { PEOPLE_ROWS } from "../../storage/lists/people-list.ts";
import { problemReply } from "../json/json-fields.ts";
import {
  type JsonCall,
  type JsonReply,
  okReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import { answerList } from "./lists/list-call.ts";
import {
  namedBeforeReply,
  type OperatorCallOptions,
  type OperatorHandler,
  takenIdReply,
} from "./operator-reply.ts";
import {
  parseDisablePerson,
  parseEmptyBody,
  parseEnablePerson,
  parseExternalId,
  parseNewPerson,
  parsePersonId,
} from "./operator-requests.ts";
import type { OperatorServices } from "./operator-services.ts";
import { personView } from "./operator-views.ts";

/** Lists the people who can sign in to the pages. */
export const listPeople: OperatorHandler<"people.list"> = (options, call) =>
  answerList(options, call, "people.list", PEOPLE_ROWS);

/** Adds a person, who can sign in only after a one-time link was made and used. */
export const addPerson: OperatorHandler<"people.add"> = async (
  { services, chance },
  { body, act },
) => {
  const request = parseNewPerson(body);
  if (!request.ok) return problemReply(request);
  const { role, ownerId: given, externalId = null } = request.value;
  const owner =
    role === "owner" ? (given ?? ownerId((act?.chance("owner") ?? chance).uuid())) : null;
  const person = await services.people.roster.add({ ...request.value, ownerId: owner }, act);
  if (person === null) {
    return (
      (await takenExternalIdRefusal(services, externalId)) ??
      wrongFieldReply("name", "is already taken", 409)
    );
  }
  return okReply(personView(person), personDetails(person));
};

/** Gives the person an external id. */
export const namePerson: OperatorHandler<"people.update"> = async (
  { services },
  { parameters, body },
) => {
  const given = parseExternalId(body);
  if (!given.ok) return problemReply(given);
  const id = parsePersonId(parameters.id);
  const { roster } = services.people;
  const text = `external id ${given.value}`;
  const isFree = id !== null && (await roster.assignExternalId(id, given.value));
  const person = id === null ? null : await roster.find(id);
  if (person === null) return NO_PERSON;
  if (person.externalId === given.value)
    return okReply(personView(person), personDetails(person, text));
  const taken = isFree ? null : await takenExternalIdRefusal(services, given.value);
  return taken ?? namedBeforeReply(String(person.externalId));
};

/** The refusal of an external id that a person has; null when no person has it. */
async function takenExternalIdRefusal(
  { people }: OperatorServices,
  externalId: ExternalId | null,
): Promise<RefusedReply | null> {
  const holder = externalId === null ? null : await people.roster.findByExternalId(externalId);
  if (holder === null) return null;
  const { personId } = holder;
  return takenIdReply(`${JSON.stringify(externalId)} belongs to the person ${personId}`, {
    personId,
  });
}

/**
 * Makes a one-time link for a person. An earlier link stops working, but the password works until the new link is used.
 */
export const linkPerson: OperatorHandler<"people.link"> = async (options, call) => {
  const person = await findPerson(options, call);
  if ("status" in person) return person;
  if (person.disabledAtMs !== null) return refusedReply("The person is disabled; enable it first");
  const { people } = options.services;
  const { token, expiresAtMs } = await people.links.make(person, call.act);
  return okReply({ url: people.linkUrl(token), expiresAtMs }, personDetails(person));
};

/** Counts the API keys of the person's accounts, which `people.disable` can pause. */
export const showPersonKeys: OperatorHandler<"people.keys"> = async (options, call) => {
  const person = await findPerson(options, call);
  if ("status" in person) return person;
  const { ownerId: owner } = person;
  const view: PersonKeysView =
    owner === null ? { active: 0, paused: 0 } : await options.services.keys.countKeysOf(owner);
  return okReply(view);
};

/** Disables a person: ends every session and any open link, and pauses the API keys if the body requests it. */
export const disablePerson: OperatorHandler<"people.disable"> = async (options, call) => {
  const request = parseDisablePerson(call.body);
  if (!request.ok) return problemReply(request);
  return changePerson(options, call, { deed: "disable", keys: request.value ? "pause" : null });
};

/** Enables a person again, and resumes the paused API keys if the body requests it. */
export const enablePerson: OperatorHandler<"people.enable"> = async (options, call) => {
  const request = parseEnablePerson(call.body);
  if (!request.ok) return problemReply(request);
  return changePerson(options, call, { deed: "enable", keys: request.value ? "resume" : null });
};

interface PersonChange {
  readonly deed: "disable" | "enable";
  /** The change of the API keys of the person's accounts; null leaves them unchanged. */
  readonly keys: "pause" | "resume" | null;
}

async function changePerson(
  { services }: OperatorCallOptions,
  { parameters }: JsonCall,
  { deed, keys }: PersonChange,
): Promise<JsonReply<ChangedPerson>> {
  const id = parsePersonId(parameters.id);
  const person = id === null ? null : await services.people.roster[deed](id);
  if (person === null) return NO_PERSON;
  const { ownerId: owner } = person;
  const changed =
    owner === null || keys === null ? 0 : await services.keys.changeOfOwner(owner, keys);
  if (owner !== null && keys !== null) {
    // The switches are changed after the keys, so that no key arms another switch in between.
    await services.switches.suspendOrResume(owner, keys === "pause" ? "suspend" : "resume");
  }
  const running = owner === null ? NONE_RUNNING : await services.switches.leftRunningOfOwner(owner);
  const text = `${changed} API ${changed === 1 ? "key" : "keys"} ${keys}d`;
  return okReply(
    { ...personView(person), keys: changed, ...running },
    personDetails(person, keys === null ? null : text),
  );
}

async function findPerson(
  { services }: OperatorCallOptions,
  { parameters, body }: JsonCall,
): Promise<Person | RefusedReply> {
  const nothing = parseEmptyBody(body);
  if (!nothing.ok) return problemReply(nothing);
  const id: PersonId | null = parsePersonId(parameters.id);
  return (id === null ? null : await services.people.roster.find(id)) ?? NO_PERSON;
}

/** The person for the audit. `text` is the change, where the name of the call does not show it. */
function personDetails({ personId, name }: Person, text: string | null = null) {
  return { subject: personId, detail: text === null ? name : `${name}; ${text}` };
}

/** The numbers of switches and orders that stay active for an operator, who has no accounts. */
const NONE_RUNNING = { armedSwitches: 0, restingOrders: 0 } as const;

const NO_PERSON: RefusedReply = refusedReply("Person not found", 404);
