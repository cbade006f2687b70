import type {
  EvidenceKeys,
  KeyDesk,
  OperatorTokens,
  OwnerKeys,
  PeopleDesk,
} from "@propgate/access";
import type { RepeatableCall } from "@propgate/base";
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
  ClosedRewards,
  ExternalId,
  ExternalIdClaim,
  FundingDesk,
  JournalDesk,
  LineRef,
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

/** The program, the owner and the other properties of an account that an operator or a sandbox opens. */
export interface NewAccount {
  /** The id of a program; null for `classic`. */
  readonly program: string | null;
  /** The owner of the account; null for an owner whose id is still to be made. */
  readonly ownerId: OwnerId | null;
  readonly size: MicroUsd;
  readonly assetClass: AccountClass;
  readonly criteria: DrawdownCriteria;
  readonly dailyLossPct: Percent | null;
  readonly tier: LeverageTier;
  readonly provisioned: boolean;
  /** The id of the account in a system of the firm; null for an account without one. @rule D13.externalIds */
  readonly externalId: ExternalId | null;
  /** False when the account may exceed the maximum of its owner's accounts. @rule D13.accountLimit */
  readonly obeysMax: boolean;
  /**
   * The id that the account gets; absent for a new id. When several nodes open it, one succeeds and the others are
   * refused.
   */
  readonly accountId?: AccountId;
}

/** The size and the program of a pro account that an operator offers for an account. */
export interface ProOffer {
  readonly proAccountSize: MicroUsd;
  /** The id of a program; null for `pro`. */
  readonly program: string | null;
}

/** The phase in which the operator saw the account; null allows any phase. @rule D13.phaseSeen */
interface Seen {
  readonly phase: OperatorPhase | null;
}

/** A change of an account that an operator requests. `Seen` has the phase in which the operator saw the account. */
export type AccountDeed =
  | { readonly deed: "provision" }
  | ({ readonly deed: "promote" } & Seen)
  | ({ readonly deed: "close"; readonly forfeit: boolean } & Seen)
  | ({ readonly deed: "offerPro" } & ProOffer & Seen)
  | ({ readonly deed: "eliminate"; readonly reason: string } & Seen);

/**
 * The result of an `AccountDeed`. `missing`: the account is unknown. `NotOffered`: accounts of this network cannot be
 * changed in this way. The text `refused` is for people; when a field is wrong, `field` is its name and the text begins
 * with it. Programs recognize a refusal by its `code`, if it has one.
 */
export type DeedResult =
  | "done"
  /** The account was closed, with these rewards; null for an account of a validator. */
  | { readonly closed: ClosedRewards | null }
  | "missing"
  | NotOffered
  | {
      readonly refused: string;
      readonly field: keyof ProOffer | "forfeit" | null;
      readonly code?: OperatorErrorCode;
    };

/**
 * The refusal of an opening: the reason in words in `refused`, and in `field` the name of the wrong field; null when no
 * field is wrong.
 */
export interface OpeningRefused {
  readonly refused: string;
  readonly field: keyof NewAccount | null;
  /** The account that has the external id already; absent for any other refusal. */
  readonly holder?: AccountId;
  /** The owner's maximum and number of open accounts; absent unless the account would exceed that maximum. */
  readonly full?: { readonly ownerId: OwnerId; readonly max: number; readonly active: number };
}

/**
 * Opens accounts and carries out the operator's changes of them. Every change is durable when its promise resolves.
 */
export interface AccountDesk {
  open(account: NewAccount, act?: RepeatableCall | null): Promise<AccountId | OpeningRefused>;
  /**
   * The reason why the account would not be opened if `earlier` more accounts of its owner were opened first; null when
   * it would be opened.
   */
  check(account: NewAccount, earlier: number): Promise<OpeningRefused | null>;
  /** Gives an account an external id. `taken`: another account has the id. `named`: the account has a different one. */
  setExternalId(accountId: AccountId, externalId: ExternalId): Promise<ExternalIdClaim | "missing">;
  /** Whether the owner has an account, with any status. */
  hasOwner(owner: OwnerId): Promise<boolean>;
  /** The network of an account; null for an unknown account. */
  networkOf(accountId: AccountId): Promise<NetworkName | null>;
  /** The reason why this service does not decide what happens to accounts of the network; null when it does. */
  noDecisionsReason(network: NetworkName): NotOffered | null;
  carryOut(
    accountId: AccountId,
    deed: AccountDeed,
    act?: RepeatableCall | null,
  ): Promise<DeedResult>;
}

/** Reads one account of any network and status. */
export interface AccountReadDesk {
  find(account: AccountId): Promise<AccountSummary | null>;
  /** The read handlers of the signed API. */
  readonly handlers: AccountReads;
  /** The handler of the signed API's GET account. */
  readonly snapshot: AccountReads[AccountReadName];
  /** The number and hash of the account's newest journal line; null for an unknown account. */
  head(account: AccountId): Promise<LineRef | null>;
  /** The account's equity over its life, oldest point first; null while the account cannot be read. */
  equityPoints(account: AccountSummary): Promise<readonly EquityPoint[] | null>;
}

/** Makes, changes and lists the webhooks of the operator, or those of an account's owner, and controls their lanes. */
export type WebhookDesk = Omit<EndpointDesk, "rekey"> & Omit<LaneDesk, "deleteOldAttempts">;

/** The stores, desks and prices of the service that the handlers of the operator's calls use. */
export interface OperatorServices {
  /** The desk that links subaccounts of the validator; null when the service has no validator. */
  readonly links: SubaccountLinks | null;
  readonly accounts: AccountDesk;
  readonly reads: AccountReadDesk;
  /** All accounts with their present figures. */
  readonly book: AccountBook;
  readonly accountNames: AccountNameStore;
  readonly programs: ProgramDesk;
  readonly payouts: PayoutDesk;
  readonly keys: Pick<KeyDesk, "create" | "hasRoom" | "list" | "accountOf" | "revoke" | "rekey"> &
    OwnerKeys;
  readonly people: Pick<PeopleDesk, "roster" | "links" | "audit"> & {
    /** The address of the page that opens with this one-time link's token. */
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
  /** Why a start with these instruments would be refused: what accounts hold does not fit them. Null when it fits. */
  readonly catalogueMisfit: (instruments: Instruments) => Promise<string | null>;
  /** How many databases the service has. */
  readonly databases: number;
  /** Confirms the unconfirmed restore and returns it; null when there is none. */
  confirmRestore(): Promise<RestoreMark | null>;
  /** All stored data of the database with this number, at this moment. The service keeps running. */
  backup(database: number): Promise<BackupContent>;
  health(): Promise<ServiceHealth>;
}
