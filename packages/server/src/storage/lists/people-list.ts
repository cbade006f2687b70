import type { ListSource } from "./list-query.ts";

/** The people who can sign in to the pages. */
export const PEOPLE_ROWS: ListSource = {
  rows: `select person_id as "personId", external_id as "externalId", name, role, owner_id as "ownerId",
    created_at_ms as "createdAtMs", disabled_at_ms as "disabledAtMs" from people`,
  uuids: ["personId"],
  databases: "first",
};
