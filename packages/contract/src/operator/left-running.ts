import { count } from "../schema.ts";

/**
 * The fields that count the dead man's switches and orders that still act on the accounts of keys that were revoked or
 * paused.
 */
export const LEFT_RUNNING_FIELDS = {
  armedSwitches: count(
    "Number of dead man's switches of the accounts that are armed, or suspended while the keys are paused.",
  ),
  restingOrders: count("Number of pending orders of the accounts, which can still fill."),
} as const;
