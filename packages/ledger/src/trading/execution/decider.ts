import {
  type AccountState,
  type Command,
  decide,
  type Event,
  evolve,
  type Moment,
  type Refusal,
  type Result,
} from "@propgate/core";

/** The network's rules as two functions; the service runs on core's own. */
export interface Decider {
  readonly decide: (
    state: AccountState | null,
    command: Command,
    at: Moment,
  ) => Result<readonly Event[], Refusal>;
  readonly evolve: (state: AccountState | null, event: Event) => AccountState;
}

/** The trading network itself. */
export const networkDecider: Decider = { decide, evolve };
