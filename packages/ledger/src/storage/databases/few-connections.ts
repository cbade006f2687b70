import { createSlots } from "@propgate/base";
import type { Database } from "./database.ts";

/**
 * Limits the concurrent statements and transactions of some work, such as sign-ins and long reads, so that it never
 * takes the connections that orders need. Inside a transaction use only that transaction: another statement would wait
 * for a slot that the transaction itself may hold.
 */
export function limitStatements(database: Database, connectionsMax: number): Database {
  const slots = createSlots(connectionsMax);
  return {
    kind: database.kind,
    query: (text, parameters, preparing) =>
      slots.run(() => database.query(text, parameters, preparing)),
    transaction: (work, limits) => slots.run(() => database.transaction(work, limits)),
    connections: () => database.connections(),
    close: () => database.close(),
  };
}
