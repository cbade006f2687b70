import type { PayoutItem } from "../resources/payout.ts";
import type { ASSET_CLASSES } from "../words.ts";
import type { PersonView, Role } from "./session.ts";

type AssetClassName = (typeof ASSET_CLASSES)[number];

/** Items of one page. */
export interface ConsolePage<Item> {
  readonly items: readonly Item[];
  /** Pass it as `after`; null on the last page. */
  readonly next: string | null;
}

/** Item of `GET operator/accounts?q=&owner=&after=&limit=`, by id. */
export interface ConsoleAccount {
  readonly accountId: string;
  readonly ownerId: string;
  readonly status: "provisioning" | "active" | "eliminated" | "closed";
  readonly phase: string;
  /** The version that binds it now: on the pro track the pro program's. */
  readonly programId: string;
  readonly programVersion: number;
  /** USD */
  readonly size: number;
  readonly assetClass: AssetClassName;
  readonly drawdownCriteria: string;
  /** USD */
  readonly balance: number;
  readonly openedAtMs: number;
}

/** `POST operator/accounts`; what is left out the program decides. */
export interface OpenAccountRequest {
  /** Whole USD. */
  readonly size: number;
  readonly program?: string;
  readonly ownerId?: string;
  readonly assetClass?: AssetClassName;
  readonly drawdownCriteria?: "static" | "trailing";
  readonly dailyLossPct?: number;
  readonly tier?: 1 | 2 | 3;
  /** False: it exists, but does not trade until it is provisioned. */
  readonly provisioned?: boolean;
}

/** Item of `GET operator/payouts`: as its owner reads it, and whose it is. */
export interface ConsolePayout extends PayoutItem {
  readonly accountId: string;
}

/** `POST operator/payouts/:id`; what is left out stays as it was. */
export interface RecordPaymentRequest {
  readonly status: PayoutItem["status"];
  readonly rail?: string;
  readonly provider?: string;
  readonly reference?: string;
}

/** `GET operator/health` */
export interface ConsoleHealth {
  readonly nowMs: number;
  readonly storage: "pglite" | "postgres";
  /** Null: the database can be relied on. */
  readonly storageFault: { readonly sinceMs: number; readonly reason: string } | null;
  readonly prices: {
    readonly source: string;
    /** Pairs that have a quote. */
    readonly pairs: number;
    readonly newestQuoteAtMs: number | null;
    readonly warnings: readonly {
      readonly source: string;
      readonly reason: string;
      readonly count: number;
      readonly first: string | null;
    }[];
  };
  /** What time brings about: ends of days, carry, weeks; null: the database cannot say it. */
  readonly clockWork: {
    /** Accounts with something due that is not done. */
    readonly waiting: number;
    readonly oldestDueAtMs: number | null;
    /** How late the newest run was; null before the first. */
    readonly newestLatenessMs: number | null;
  } | null;
}

/** `POST operator/journal/verify` */
export interface JournalProofView {
  readonly accounts: number;
  readonly events: number;
  readonly broken: readonly {
    readonly accountId: string;
    readonly sequence: number;
    readonly problem: string;
  }[];
}

/** Item of `GET operator/programs`: the newest version, which is the one that is sold. */
export interface ConsoleProgram {
  readonly id: string;
  readonly variant: "classic" | "pro";
  readonly version: number;
  readonly addedAtMs: number;
  readonly versions: number;
}

/** `GET operator/programs/:id` */
export interface ConsoleProgramVersions {
  readonly id: string;
  readonly versions: readonly {
    readonly version: number;
    readonly addedAtMs: number;
    /** The document as it was added. */
    readonly program: unknown;
  }[];
}

/** Item of `GET operator/instruments`: a line of the catalogue, and its market as it is now. */
export interface ConsoleInstrument {
  readonly pair: string;
  readonly display: string;
  readonly assetClass: AssetClassName;
  readonly base: string;
  readonly quoteCurrency: string;
  /** Base units in one lot. */
  readonly lotSize: number;
  /** Lots. */
  readonly gridStep: number;
  /** Of accounts up to 10,000 USD; null where the class has none. */
  readonly gridStepSmallAccount: number | null;
  readonly leastPosition: { readonly usd: number } | { readonly lots: number };
  readonly tick: number;
  /** Percent of the value of each fill. */
  readonly feePercent: number;
  /** Percent of the value held, each time it is charged; a day's where it is charged daily. */
  readonly carry: {
    readonly kind: "none" | "everyEightHours" | "daily";
    readonly percent: number;
  };
  /** Percent of the price. */
  readonly spreadPercent: number;
  /** Multiples of the balance. */
  readonly leverageCaps: Readonly<Record<"tier1" | "tier2" | "tier3" | "pro", number>>;
  readonly exposureGroups: readonly string[];
  readonly session: string;
  readonly isOpen: boolean;
  /** When it closes, or opens again; null: never as far as the calendar reaches. */
  readonly changesAtMs: number | null;
  /** A blocked pair is known and never trades. */
  readonly isBlocked: boolean;
  readonly staleAfterMs: number;
  /** Null: no quote yet. */
  readonly quote: { readonly bid: number; readonly ask: number; readonly atMs: number } | null;
  readonly isStale: boolean;
}

/** Item of `GET operator/people`, by name; and the answer of `POST operator/people`. */
export interface ConsolePerson extends PersonView {
  readonly createdAtMs: number;
  /** From then on nobody signs in as this person; null: it may. */
  readonly disabledAtMs: number | null;
}

/** `POST operator/people`. `ownerId` is an owner's only; without it an owner gets one of its own. */
export interface AddPersonRequest {
  readonly name: string;
  readonly role: Role;
  readonly ownerId?: string;
}

/** `POST operator/people/:id/link`: shown once; the one before no longer works. */
export interface PersonLinkView {
  readonly url: string;
  readonly expiresAtMs: number;
}

/** `GET operator/search?q=`: a few of each kind. Ids by how they begin, names by what is in them. */
export interface FoundView {
  readonly accounts: readonly {
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: string;
  }[];
  readonly people: readonly {
    readonly personId: string;
    readonly name: string;
    readonly role: string;
  }[];
  readonly keys: readonly {
    readonly keyId: string;
    readonly accountId: string;
    readonly label: string;
  }[];
  readonly payouts: readonly { readonly payoutId: string; readonly accountId: string }[];
}
