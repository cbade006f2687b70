import type { Role } from "@propgate/contract";
import type { OwnerId } from "@propgate/core";
import type { PeopleDesk } from "./people-desk.ts";

export interface FirstPerson {
  readonly name: string;
  readonly role: Role;
  /** Of the link that gives the person a password. */
  readonly token: string;
}

/**
 * The people of a service that has none: an operator, and an owner of the first account where there
 * is one. Of several nodes that start at once each person is made by one, which alone has its link.
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
