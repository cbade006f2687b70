import type { KeyDesk } from "@propgate/access";
import type { AccountId, Instruments, Quote, QuoteMap } from "@propgate/core";
import type { JournalEntry, PayoutDesk } from "@propgate/ledger";
import type { PushReader, QuoteVerdict } from "@propgate/market";
import type { SubaccountLinks } from "@propgate/vanta";
import type { AccountDesk } from "../calls/operator/operator-services.ts";
import type { FaultBoard } from "./faults.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import type { SandboxValidator } from "./sandbox-validator.ts";
import type { TimeMachine } from "./time-machine.ts";

/** The clock, desks, prices and faults of the sandbox that the control plane's calls use. */
export interface ControlServices {
  readonly clock: SandboxClock;
  readonly timeMachine: TimeMachine;
  readonly instruments: Instruments;
  readonly quotes: QuoteMap;
  /**
   * Gives quotes to the market, and resolves with the verdict on each of them when everything that they triggered is
   * settled.
   */
  publish(quotes: readonly Quote[]): Promise<readonly QuoteVerdict[]>;
  /** Reads quotes in the form in which a firm's own feed would push them. */
  readonly push: PushReader;
  readonly accounts: Pick<AccountDesk, "open" | "networkOf" | "carryOut">;
  readonly payouts: Pick<PayoutDesk, "find" | "record">;
  readonly keys: Pick<KeyDesk, "create" | "revoke">;
  /** The account's events, oldest first. */
  journal(accountId: AccountId): Promise<readonly JournalEntry[]>;
  readonly faults: FaultBoard;
  /** The validator behind the sandbox, and the desk that links its subaccounts; null when there is no validator. */
  readonly linked: {
    readonly validator: SandboxValidator;
    readonly links: Pick<SubaccountLinks, "link">;
  } | null;
}
