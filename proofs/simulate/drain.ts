import { setImmediate } from "node:timers/promises";

/** Far more turns of the event loop than any work between two waits for the world takes. */
const MOST_TURNS = 1_000;

/**
 * Lets the service go on until it can do nothing more without the world: every promise and every
 * immediate has been carried out, and what is left waits for the database or for a client.
 */
export async function drain(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await setImmediate();
    if (!process.getActiveResourcesInfo().includes("Immediate")) return;
  }
  throw new Error("the service does not come to rest");
}
