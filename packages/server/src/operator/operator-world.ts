import type {
  AccountClass,
  AccountId,
  AccountStatus,
  DrawdownCriteria,
  Instruments,
  LeverageTier,
  MicroUsd,
  OwnerId,
  Percent,
  Phase,
  Quotes,
  UnixMs,
} from "@propgate/core";
import type { BackupContent } from "../backup/take-backup.ts";
import type { JournalDesk } from "../journal/journal-desk.ts";
import type { KeyDesk } from "../keys/manage-keys.ts";
import type { ProgramDesk } from "../market/program-desk.ts";
import type { DueLag } from "../network/due-work.ts";
import type { PayoutDesk } from "../network/payouts.ts";
import type { PeopleDesk } from "../people/people-desk.ts";
import type { SearchStore } from "../storage/stores/search-store.ts";
import type { StorageFault } from "../storage-watch.ts";

/** An account as the operator orders one; what is null the program decides. */
export interface NewAccount {
  /** Null: the usual classic one. */
  readonly program: string | null;
  /** Null: an owner of its own. */
  readonly ownerId: OwnerId | null;
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  readonly dailyLossPct: Percent | null;
  readonly tier: LeverageTier;
  readonly provisioned: boolean;
}

/** An account in a list. */
export interface AccountLine {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly status: AccountStatus;
  readonly phase: Phase;
  /** The version that binds it now: on the pro track the pro program's. */
  readonly programId: string;
  readonly programVersion: number;
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  readonly balance: MicroUsd;
  readonly openedAtMs: UnixMs;
}

/** A pro account as the operator offers it. */
export interface ProOffer {
  readonly proAccountSize: MicroUsd;
  /** Null: the usual pro one. */
  readonly program: string | null;
}

export type AccountDeed =
  | { readonly deed: "provision" | "close" | "promote" }
  | ({ readonly deed: "offerPro" } & ProOffer)
  | { readonly deed: "eliminate"; readonly reason: string };

/**
 * `missing`: no such account. A refusal says in words why the account cannot do it; `field` is the
 * one that no program offers, and the words begin with it.
 */
export type DeedResult =
  | "done"
  | "missing"
  | { readonly refused: string; readonly field: keyof ProOffer | null };

export interface AccountQuery {
  readonly ownerId: OwnerId | null;
  readonly text: string | null;
  readonly after: AccountId | null;
  readonly limit: number;
}

export interface AccountPage {
  readonly items: readonly AccountLine[];
  /** Where the next page starts; null on the last one. */
  readonly next: AccountId | null;
}

/** What the operator does with accounts. Everything is durable when it resolves. */
export interface AccountDesk {
  open(account: NewAccount): Promise<AccountId | { readonly refused: string }>;
  /** By id, strictly behind `after`; `text` as `AccountStore` looks for it. */
  list(page: AccountQuery): Promise<AccountPage>;
  has(accountId: AccountId): Promise<boolean>;
  act(accountId: AccountId, deed: AccountDeed): Promise<DeedResult>;
}

/** What a monitoring system asks for; every value is JSON. */
export interface ServiceHealth {
  readonly nowMs: UnixMs;
  readonly storage: "pglite" | "postgres";
  /** Why the database cannot be relied on, and since when; null: it can. */
  readonly storageFault: StorageFault | null;
  readonly prices: {
    readonly source: string;
    /** Pairs that have a quote. */
    readonly pairs: number;
    readonly newestQuoteAtMs: UnixMs | null;
    readonly warnings: readonly {
      readonly source: string;
      readonly reason: string;
      readonly count: number;
      readonly first: string | null;
    }[];
  };
  /**
   * How far behind what time brings about is: ends of days, carry, weeks, inactivity; null while
   * the database cannot say it.
   */
  readonly clockWork: DueLag | null;
}

/** Everything that the operator can reach. */
export interface OperatorWorld {
  readonly accounts: AccountDesk;
  readonly programs: ProgramDesk;
  readonly payouts: PayoutDesk;
  readonly keys: Pick<KeyDesk, "create" | "list" | "revoke" | "rekey">;
  readonly people: Pick<PeopleDesk, "roster" | "links" | "audit"> & {
    /** Where a browser opens the link of that token. */
    linkUrl(token: string): string;
  };
  readonly journal: JournalDesk;
  readonly market: { readonly instruments: Instruments; readonly quotes: Quotes };
  readonly search: SearchStore;
  /** Everything that is stored, as it is now; the service goes on. */
  backup(): Promise<BackupContent>;
  health(): Promise<ServiceHealth>;
}
