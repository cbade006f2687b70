import { fine } from "../json/json-reply.ts";
import { nameKey, type Person } from "../people/person.ts";
import { type Handle, wrong } from "./operator-reply.ts";
import { parseAuditQuery, parseSearch } from "./operator-requests.ts";

const PEOPLE_MAX = 8;

/** Accounts, people, keys and payouts that a text may mean. */
export const search: Handle = async ({ world }, { query }) => {
  const text = parseSearch(query);
  if (!text.ok) return wrong(text);
  const part = nameKey(text.value);
  const people = (await world.people.roster.list())
    .filter(({ name }) => nameKey(name).includes(part))
    .slice(0, PEOPLE_MAX);
  return fine({ ...(await world.search.find(text.value)), people: people.map(found) });
};

function found({ personId, name, role }: Person): Pick<Person, "personId" | "name" | "role"> {
  return { personId, name, role };
}

/** Who did what, newest first. */
export const listAudit: Handle = async ({ world }, { query }) => {
  const lines = parseAuditQuery(query);
  return lines.ok ? fine(await world.people.audit.list(lines.value)) : wrong(lines);
};
