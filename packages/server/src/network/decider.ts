import type { AccountState, Command, Event, Moment, Refusal, Result } from "@propgate/core";

/** The network's rules as two functions; the service runs on core's own. */
export interface Decider {
  decide(
    state: AccountState | null,
    command: Command,
    at: Moment,
  ): Result<readonly Event[], Refusal>;
  evolve(state: AccountState | null, event: Event): AccountState;
}
