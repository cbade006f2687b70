import type { PeopleDesk } from "@propgate/access";
import type { Role } from "@propgate/contract";
import type { OwnerId } from "@propgate/core";

/** A person whom a first start has added. */
export interface FirstPerson {
  readonly name: string;
  readonly role: Role;
  /** The token of the one-time link with which the person chooses a password. */
  readonly token: string;
}

/**
 * Adds the first people of a service: an operator, and an owner when there is a first account. Adds none when there are
 * people. When several nodes start concurrently, each person is added by one node, and only that node has the link.
 */
export async function makeFirstPeople(
  { roster, links }: Pick<PeopleDesk, "roster" | "links">,
  owner: OwnerId | null,
): Promise<readonly FirstPerson[]> {
  if (!(await roster.isEmpty())) return [];
  const made: FirstPerson[] = [];
  for (const role of ["owner", "operator"] as const) {
    if (role === "owner" && owner === null) continue;
    const ownerId = role === "owner" ? owner : null;
    const person = await roster.add({ name: role, role, ownerId });
    if (person === null) continue;
    const { token } = await links.make(person);
    made.push({ name: role, role, token });
  }
  return made;
}
