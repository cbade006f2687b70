import { setImmediate } from "node:timers/promises";

/** Far more turns of the event loop than the service needs between two waits for the database or a client. */
const TURNS_MAX = 1_000;

/**
 * Lets the service run until it waits for the database or a client. All promises and immediates have then been carried
 * out. @throws when it does not become idle
 */
export async function drainEventLoop(): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    await setImmediate();
    if (!process.getActiveResourcesInfo().includes("Immediate")) return;
  }
  throw new Error("the service does not become idle");
}
