import { type PerDatabase, partOf } from "../../storage/databases/per-database.ts";
import type { EventDesk } from "../events/event-desk.ts";

/** The events of the accounts of all databases. */
export function eventDeskOfAll(desks: PerDatabase<EventDesk>): EventDesk {
  return {
    read: (account, request, waiting) => partOf(desks, account).read(account, request, waiting),
    locate: (account, cursor) => partOf(desks, account).locate(account, cursor),
    page: (account, request) => partOf(desks, account).page(account, request),
    follow: (account, listener) => partOf(desks, account).follow(account, listener),
  };
}
