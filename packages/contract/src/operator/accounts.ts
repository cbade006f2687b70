import {
  boolean,
  count,
  nullable,
  number,
  object,
  optional,
  type Schema,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { ASSET_CLASSES, NETWORKS, OPERATOR_PHASES, OWN_ASSET_CLASSES } from "../words.ts";

const ACCOUNT_STATUSES = ["provisioning", "active", "eliminated", "closed"] as const;
const CRITERIA = ["static", "trailing"] as const;

export const OPERATOR_ACCOUNT = object("An account in the operator's list.", {
  accountId: string("The account's id, a uuid."),
  ownerId: string("The id of its owner."),
  status: word(ACCOUNT_STATUSES, "Whether it trades."),
  network: word(
    NETWORKS,
    "`embedded`: the service's own network. `vanta`: a subaccount of a validator.",
  ),
  phase: nullable(
    word(OPERATOR_PHASES, "The phase it is in; null when the network did not send it."),
  ),
  programId: nullable(
    string(
      "The program that binds it now: on the pro track the pro program. Null for an account of a validator.",
    ),
  ),
  programVersion: nullable(
    count("The version of that program; null for an account of a validator."),
  ),
  size: nullable(number("Starting balance, USD; null when the network did not send it.")),
  assetClass: nullable(
    word(
      ASSET_CLASSES,
      "The asset class that the account may trade; null when the network did not send it.",
    ),
  ),
  drawdownCriteria: nullable(
    string(
      "`static` or `trailing`: how its maximum loss is measured; null when the network did not send it.",
    ),
  ),
  balance: nullable(number("Balance, USD; null when the network did not send it.")),
  openedAtMs: time("When it was opened or linked."),
});
export type OperatorAccount = Wire<typeof OPERATOR_ACCOUNT>;

const TIER: Schema<1 | 2 | 3> = {
  json: { type: "integer", enum: [1, 2, 3], description: "Leverage tier; 1 by default." },
};

/** Fields that are left out have the program's defaults. */
export const OPEN_ACCOUNT = object("An account to open.", {
  size: number("Whole USD; a size that the program sells."),
  programId: optional(string("Id of the program; `classic` by default.")),
  ownerId: optional(string("Id of an owner; a new owner by default.")),
  externalId: optional(
    string("The account's id in another system; no two accounts have the same."),
  ),
  assetClass: optional(
    word(
      OWN_ASSET_CLASSES,
      "The asset class that the account may trade; `all_markets` by default.",
    ),
  ),
  drawdownCriteria: optional(word(CRITERIA, "How its maximum loss is measured.")),
  dailyLossPct: optional(number("Daily loss limit, where the program offers a choice.")),
  tier: optional(TIER),
  provisioned: optional(boolean("False if it cannot trade until it is provisioned.")),
  override: optional(boolean("True opens it past the maximum of its owner's accounts.")),
});
export type OpenAccountRequest = Wire<typeof OPEN_ACCOUNT>;

const SEEN_PHASE = word(
  OPERATOR_PHASES,
  "The phase in which you saw the account. In another one the call changes nothing: 409 `phase_changed`.",
);

export const PROMOTE_ACCOUNT = object("The promotion of an account to its next phase.", {
  phase: SEEN_PHASE,
});
export type PromoteAccountRequest = Wire<typeof PROMOTE_ACCOUNT>;

export const CLOSE_ACCOUNT = object("The closing of an account.", {
  phase: optional(SEEN_PHASE),
  forfeit: optional(
    boolean(
      "True drops the reward of the cycle in progress. By default the cycle is closed first, and its payout is owed.",
    ),
  ),
});
export type CloseAccountRequest = Wire<typeof CLOSE_ACCOUNT>;

export const ELIMINATE_ACCOUNT = object("The reason of an elimination.", {
  reason: string("Recorded permanently, and shown to the owner."),
  phase: optional(SEEN_PHASE),
});
export type EliminateAccountRequest = Wire<typeof ELIMINATE_ACCOUNT>;

export const OFFER_PRO = object("A pro account to offer.", {
  proAccountSize: number("Size of the pro account, USD."),
  program: optional(string("Id of the pro program; `pro` by default.")),
  phase: optional(SEEN_PHASE),
});
export type OfferProRequest = Wire<typeof OFFER_PRO>;

export const LINK_ACCOUNT = object("A subaccount of the validator to link.", {
  subaccount: string(
    "Its number, or its id at the validator: the hotkey of the entity, `_` and its number.",
  ),
  ownerId: string("Id of the owner of the account."),
  profitSplitPercent: optional(
    number("The trader's share of payouts in percent; 100 by default. May exceed 100."),
  ),
});
export type LinkAccountRequest = Wire<typeof LINK_ACCOUNT>;

export const CLOSED_ACCOUNT = object("The account that was closed.", {
  accountId: string("The account's id."),
  payout: nullable(
    object("The payout of the cycle that closing ended; null when there was nothing to pay.", {
      id: string("Its id."),
      amount: number("USD."),
    }),
  ),
  forfeited: nullable(
    number(
      "Rewards that closing forfeited, withheld ones included, USD. Null for an account of a validator.",
    ),
  ),
});
export type ClosedAccount = Wire<typeof CLOSED_ACCOUNT>;

export const ACCOUNT_ID = object("The account that was changed.", {
  accountId: string("The account's id."),
});

export const OPENED_ACCOUNT = object("The account that was opened or linked.", {
  accountId: string("The account's id."),
  newOwner: boolean("Whether neither a person nor another account had its owner."),
});
