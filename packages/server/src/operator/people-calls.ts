import { ownerId } from "@propgate/core";
import { fine, type JsonCall, type JsonReply, refused } from "../json/json-reply.ts";
import type { Person, PersonId } from "../people/person.ts";
import { type Handle, type OperatorNeed, wrong } from "./operator-reply.ts";
import { parseNewPerson, parseNothing, parsePersonId } from "./operator-requests.ts";
import { personView } from "./operator-views.ts";

/** Who may sign in to the pages, by name. */
export const listPeople: Handle = async ({ world }) =>
  fine((await world.people.roster.list()).map(personView));

/** Nobody can sign in as the person before a link was made and used. */
export const addPerson: Handle = async ({ world, chance }, { body }) => {
  const request = parseNewPerson(body);
  if (!request.ok) return wrong(request);
  const { name, role, ownerId: given } = request.value;
  const owner = role === "owner" ? (given ?? ownerId(chance.uuid())) : null;
  const person = await world.people.roster.add({ name, role, ownerId: owner });
  if (person === null) return refused("name: somebody is called that already");
  return fine(personView(person), aboutOf(person));
};

/** The one before no longer works, the password does until the link is used. */
export const linkPerson: Handle = async (need, call) => {
  const person = await askedFor(need, call);
  if ("status" in person) return person;
  if (person.disabledAtMs !== null) return refused("The person is disabled; enable it first");
  const { people } = need.world;
  const { token, expiresAtMs } = await people.links.make(person);
  return fine({ url: people.linkUrl(token), expiresAtMs }, aboutOf(person));
};

/** Ends every session, and the link that may be under way. */
export const disablePerson: Handle = (need, call) => change(need, call, "disable");

export const enablePerson: Handle = (need, call) => change(need, call, "enable");

async function change(
  need: OperatorNeed,
  call: JsonCall,
  deed: "disable" | "enable",
): Promise<JsonReply> {
  const person = await askedFor(need, call);
  if ("status" in person) return person;
  const changed = await need.world.people.roster[deed](person.personId);
  return changed === null ? NO_PERSON : fine(personView(changed), aboutOf(changed));
}

async function askedFor(
  { world }: OperatorNeed,
  { parameters, body }: JsonCall,
): Promise<Person | JsonReply> {
  const nothing = parseNothing(body);
  if (!nothing.ok) return wrong(nothing);
  const id: PersonId | null = parsePersonId(parameters.id);
  return (id === null ? null : await world.people.roster.find(id)) ?? NO_PERSON;
}

function aboutOf({ personId, name }: Person) {
  return { subject: personId, detail: name };
}

const NO_PERSON: JsonReply = refused("Person not found", 404);
