import type {
  EvidenceKeys,
  KeyDesk,
  OperatorTokens,
  OwnerKeys,
  PeopleDesk,
} from "@propgate/access";
import type { Act } from "@propgate/base";
import type {
  EquityPoint,
  OperatorErrorCode,
  OperatorPhase,
  ServiceHealth,
} from "@propgate/contract";
import type {
  AccountClass,
  AccountId,
  DrawdownCriteria,
  Instruments,
  LeverageTier,
  MicroUsd,
  OwnerId,
  Percent,
  Quotes,
} from "@propgate/core";
import type {
  AccountNameStore,
  AccountSummary,
  ActionDesk,
  BackupContent,
  ClaimedId,
  ClosedRewards,
  ExternalId,
  FundingDesk,
  JournalDesk,
  LinePlace,
  NetworkName,
  OwnerLimits,
  PayoutDesk,
  RestoreMark,
  SearchStore,
} from "@propgate/ledger";
import type { PriceDesk, ProgramDesk } from "@propgate/market";
import type { EndpointDesk, Firehose, LaneDesk } from "@propgate/push";
import type { SubaccountLinks } from "@propgate/vanta";
import type { ExpensiveReads, NotOffered } from "@propgate/wire";
import type { AccountReadName, AccountReads } from "../../api/routes/account-reads.ts";
import type { ListReader } from "../../storage/lists/list-reader.ts";
import type { AccountBook } from "./accounts/account-book.ts";
import type { RepeatedWrites } from "./repeats/repeated-writes.ts";
import type { SwitchDesk } from "./switch-desk.ts";

/** An account to open. */
export interface NewAccount {
  /** Null for `classic`. */
  readonly program: string | null;
  /** Null for a new owner. */
  readonly ownerId: OwnerId | null;
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  readonly dailyLossPct: Percent | null;
  readonly tier: LeverageTier;
  readonly provisioned: boolean;
  /** Null for none. @rule D13.externalIds */
  readonly externalId: ExternalId | null;
  /** False: it may be one more than the maximum of its owner's accounts. @rule D13.accountLimit */
  readonly obeysMax: boolean;
  /** A chosen id. When several nodes open it, one succeeds and the others are refused. */
  readonly accountId?: AccountId;
}

/** A pro account to offer. */
export interface ProOffer {
  readonly proAccountSize: MicroUsd;
  /** Null for `pro`. */
  readonly program: string | null;
}

/** The phase in which the operator saw the account; null for any. @rule D13.phaseSeen */
interface Seen {
  readonly phase: OperatorPhase | null;
}

export type AccountDeed =
  | { readonly deed: "provision" }
  | ({ readonly deed: "promote" } & Seen)
  | ({ readonly deed: "close"; readonly forfeit: boolean } & Seen)
  | ({ readonly deed: "offerPro" } & ProOffer & Seen)
  | ({ readonly deed: "eliminate"; readonly reason: string } & Seen);

/**
 * `missing`: unknown account. `NotOffered`: accounts of this network do not have the deed. A refusal has a text for
 * people; `field` is the field whose value no program offers, and the text begins with its name. Programs recognize a
 * refusal by its `code`, where it has one.
 */
export type DeedResult =
  | "done"
  /** Closed, with its rewards; null for an account of a validator. */
  | { readonly closed: ClosedRewards | null }
  | "missing"
  | NotOffered
  | {
      readonly refused: string;
      readonly field: keyof ProOffer | "forfeit" | null;
      readonly code?: OperatorErrorCode;
    };

/** Why no account was opened, in words; a value that no program offers names its field. */
export interface OpeningRefused {
  readonly refused: string;
  readonly field: keyof NewAccount | null;
  /** The account that has the external id. */
  readonly holder?: AccountId;
  /** The owner has the maximum of accounts. */
  readonly full?: { readonly ownerId: OwnerId; readonly max: number; readonly active: number };
}

/** The operator's actions on accounts. Every change is durable when it resolves. */
export interface AccountDesk {
  open(account: NewAccount, act?: Act | null): Promise<AccountId | OpeningRefused>;
  /** Why the account would not be opened after `earlier` ones of its owner; null when it would. */
  check(account: NewAccount, earlier: number): Promise<OpeningRefused | null>;
  /** Gives the account an external id; `taken`: another one has it, `named`: the account has that one. */
  name(accountId: AccountId, externalId: ExternalId): Promise<ClaimedId | "missing">;
  /** Whether the owner has an account, also an ended one. */
  hasOwner(owner: OwnerId): Promise<boolean>;
  /** Null for an unknown account. */
  networkOf(accountId: AccountId): Promise<NetworkName | null>;
  /** Why accounts of the network are not decided here; null when they are. */
  noDecisions(network: NetworkName): NotOffered | null;
  act(accountId: AccountId, deed: AccountDeed, act?: Act | null): Promise<DeedResult>;
}

/** Reads one account of any network and status. */
export interface AccountReadDesk {
  find(account: AccountId): Promise<AccountSummary | null>;
  /** The signed API's own handlers. */
  readonly handlers: AccountReads;
  /** As GET account answers it. */
  readonly snapshot: AccountReads[AccountReadName];
  /** The place of its newest line; null for an unknown account. */
  head(account: AccountId): Promise<LinePlace | null>;
  /** Oldest first; null while the account cannot be read. */
  equityPoints(account: AccountSummary): Promise<readonly EquityPoint[] | null>;
}

/** The webhooks of the operator, or of an owner's account. */
export type WebhookDesk = Omit<EndpointDesk, "rekey"> & Omit<LaneDesk, "forgetOld">;

/** The dependencies of the operator's calls. */
export interface OperatorServices {
  /** Null without a validator. */
  readonly links: SubaccountLinks | null;
  readonly accounts: AccountDesk;
  readonly reads: AccountReadDesk;
  /** All accounts, valued when they are asked for. */
  readonly book: AccountBook;
  readonly accountNames: AccountNameStore;
  readonly programs: ProgramDesk;
  readonly payouts: PayoutDesk;
  readonly keys: Pick<KeyDesk, "create" | "hasRoom" | "list" | "accountOf" | "revoke" | "rekey"> &
    OwnerKeys;
  readonly people: Pick<PeopleDesk, "roster" | "links" | "audit"> & {
    /** The address of the page for that token. */
    linkUrl(token: string): string;
  };
  readonly tokens: Pick<OperatorTokens, "add" | "list" | "revoke" | "isRevoked">;
  readonly evidence: Pick<EvidenceKeys, "sign" | "rotate">;
  readonly expensiveReads: Pick<ExpensiveReads, "begin">;
  readonly journal: JournalDesk;
  readonly firehose: Firehose;
  readonly market: { readonly instruments: Instruments; readonly quotes: Quotes };
  readonly prices: PriceDesk;
  readonly actions: Pick<ActionDesk, "announce" | "cancel" | "list">;
  readonly funding: Pick<FundingDesk, "set" | "withdraw" | "list">;
  readonly limits: Pick<OwnerLimits, "set">;
  readonly switches: SwitchDesk;
  readonly webhooks: WebhookDesk & Pick<EndpointDesk, "rekey">;
  readonly lists: ListReader;
  readonly search: SearchStore;
  readonly repeats: Pick<RepeatedWrites, "rekey">;
  /** How many databases the service has. */
  readonly databases: number;
  /** Confirms the restore that waits for it; null when none waits. */
  confirmRestore(): Promise<RestoreMark | null>;
  /** All stored data of one of them at this moment; the service keeps running. */
  backup(database: number): Promise<BackupContent>;
  health(): Promise<ServiceHealth>;
}
