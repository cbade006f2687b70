import type { AccountId, Instruments, Quote, Quotes } from "@propgate/core";
import type { JournalEntry } from "../journal/journal-store.ts";
import type { KeyDesk } from "../keys/manage-keys.ts";
import type { PayoutDesk } from "../network/payouts.ts";
import type { AccountDesk } from "../operator/operator-world.ts";
import type { QuoteVerdict } from "../prices/quote-board.ts";
import type { FaultBoard } from "./faults.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import type { TimeMachine } from "./time-machine.ts";

/** Everything that whoever controls the sandbox can reach. */
export interface ControlWorld {
  readonly clock: SandboxClock;
  readonly time: TimeMachine;
  readonly instruments: Instruments;
  readonly quotes: Quotes;
  /** Resolves when everything that the quotes triggered has been settled. */
  give(quotes: readonly Quote[]): Promise<readonly QuoteVerdict[]>;
  readonly accounts: Pick<AccountDesk, "open" | "has" | "act">;
  readonly payouts: Pick<PayoutDesk, "find" | "record">;
  readonly keys: Pick<KeyDesk, "create" | "revoke">;
  /** The account's events, oldest first. */
  journal(accountId: AccountId): Promise<readonly JournalEntry[]>;
  readonly faults: FaultBoard;
}
