import type {
  AccountClass,
  AccountId,
  DrawdownCriteria,
  Instruments,
  LeverageTier,
  MicroUsd,
  Quote,
  Quotes,
} from "@propgate/core";
import type { JournalEntry } from "../journal/journal-store.ts";
import type { QuoteVerdict } from "../prices/quote-board.ts";
import type { FaultBoard, Faults } from "./faults.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import type { TimeMachine } from "./time-machine.ts";

/** An account as the control plane orders one; what is null the program decides. */
export interface AccountOrder {
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  readonly dailyLossPct: number | null;
  readonly tier: LeverageTier;
  readonly provisioned: boolean;
}

export type AccountAction =
  | { readonly action: "eliminate"; readonly reason: string }
  | { readonly action: "close" | "provision" };

/** `missing`: no such thing. A text: why it cannot be done. */
export type Done = "done" | "missing" | { readonly refused: string };

export type SandboxScope = "read" | "place";

/** Everything that whoever controls the sandbox can reach. */
export interface ControlWorld {
  readonly clock: SandboxClock;
  readonly time: TimeMachine;
  readonly instruments: Instruments;
  readonly quotes: Quotes;
  giveQuotes(quotes: readonly Quote[]): Promise<readonly QuoteVerdict[]>;
  openAccount(order: AccountOrder): Promise<AccountId | { readonly refused: string }>;
  hasAccount(accountId: AccountId): Promise<boolean>;
  act(accountId: AccountId, action: AccountAction): Promise<Done>;
  createKey(
    accountId: AccountId,
    scopes: readonly SandboxScope[],
  ): Promise<{ readonly keyId: string; readonly secret: string }>;
  revokeKey(keyId: string): Promise<boolean>;
  /** The account's events, oldest first. */
  journal(accountId: AccountId): Promise<readonly JournalEntry[]>;
  readonly faults: FaultBoard;
  /** The faults that this build can make happen. */
  readonly knownFaults: ReadonlySet<keyof Faults>;
}
