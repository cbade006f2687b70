import {
  boolean,
  count,
  id,
  nullable,
  number,
  object,
  optional,
  type Schema,
  string,
  time,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import {
  ACCOUNT_STATUSES,
  ASSET_CLASSES,
  NETWORKS,
  OPERATOR_PHASES,
  OWN_ASSET_CLASSES,
} from "../words.ts";
import { describeList } from "./lists/list-description.ts";
import { pageFields } from "./page.ts";

const CRITERIA = ["static", "trailing"] as const;

const usdField = (description: string) => nullable(number(`${description}, USD.`));

/** The fields have no objects inside, so that a field, a filter and a column have the same name. */
const ACCOUNT_FIELDS = {
  accountId: uuid("The account's id, a uuid."),
  externalId: nullable(id("The account's id in another system; null without one.")),
  ownerId: id("The id of its owner."),
  ownerName: nullable(
    string("The name of its owner's first person; null when no person has its accounts."),
  ),
  network: word(
    NETWORKS,
    "`embedded`: the service's own network. `vanta`: a subaccount of a validator.",
  ),
  status: word(ACCOUNT_STATUSES, "Whether it trades."),
  phase: nullable(
    word(OPERATOR_PHASES, "The phase it is in; null when the network did not send it."),
  ),
  step: nullable(id("The step of its program; equal to `phase` where a program has no steps.")),
  programId: nullable(
    id(
      "The program that binds it now: on the pro track the pro program. Null for an account of a validator.",
    ),
  ),
  programVersion: nullable(
    count("The version of that program; null for an account of a validator."),
  ),
  size: usdField("Starting balance; null when the network did not send it"),
  assetClass: nullable(
    word(
      ASSET_CLASSES,
      "The asset class that the account may trade; null when the network did not send it.",
    ),
  ),
  drawdownCriteria: nullable(
    word(CRITERIA, "How its maximum loss is measured; null when the network did not send it."),
  ),
  dailyLossPct: nullable(number("The daily loss limit of its challenge, percent.")),
  tier: nullable(number("Leverage tier, 1 to 3; null on the pro track, which has its own.")),
  openedAtMs: time("When it was opened or linked."),
  endedAtMs: nullable(time("When it was eliminated or closed; null while it lives.")),
  endReason: nullable(
    string("The reason of its elimination; null for an account that was only closed."),
  ),
  balance: usdField("Balance; after the end that of the end"),
  equity: usdField("Equity; after the end that of the end"),
  dayStartEquity: usdField("Equity at the start of its day"),
  todayPnl: usdField("Profit or loss of its day"),
  todayPnlPct: nullable(number("The same, percent of the equity at the start of the day.")),
  nearestLimit: nullable(id("Rule of the loss limit of which the greatest share is used now.")),
  nearestUsedOfLimitPct: nullable(
    number(
      "The share of that limit's allowed loss that is gone now: 75 is three quarters. At least 0, and above 100 below the floor.",
    ),
  ),
  nearestRemaining: usdField("Equity above the floor of that limit; negative below it"),
  breachMovePct: nullable(
    number(
      "The adverse move of all positions, percent of each price, after which the first live limit ends the account; null when none does.",
    ),
  ),
  dailyUsedOfLimitPct: nullable(number("The share of the day's allowed loss that is gone now.")),
  dailyRemaining: usdField("Equity above the floor of the day's limit"),
  dailyFloor: usdField("Lowest equity that does not breach the day's limit"),
  dailyBreachPrice: nullable(
    number("The mark of the only open position at which equity is at that floor."),
  ),
  lossUsedOfLimitPct: nullable(
    number("The share of the allowed loss of the tightest other limit that is gone now."),
  ),
  lossRemaining: usdField("Equity above the floor of that other limit"),
  lossFloor: usdField("Lowest equity that does not breach that other limit"),
  lossBreachPrice: nullable(
    number("The mark of the only open position at which equity is at that floor."),
  ),
  exposureGross: usdField("Sum of the values of its positions"),
  exposureNet: usdField("The same with shorts as negative values"),
  openPositions: nullable(count("Its open positions.")),
  restingOrders: nullable(count("Its pending entry orders, without legs.")),
  lastOrderAtMs: nullable(
    time("Its last accepted order, edits included, cancellations not; null before the first."),
  ),
  lastActivityAtMs: nullable(
    time("The last line of its journal that a key, its owner or the operator caused."),
  ),
  idleSinceMs: nullable(
    time("From when its inactivity counts, else its last order, else its opening."),
  ),
  payoutDue: usdField("Payouts of closed cycles that are not paid"),
  payoutAccruing: usdField(
    "The payout of the cycle in progress, if it ended now; null without a cycle, or when it cannot be estimated",
  ),
  valuedAtMs: nullable(time("The time of the prices that its figures are of.")),
  oldestQuoteAtMs: nullable(time("The oldest price that its figures lean on.")),
  isStale: boolean("A price that its figures lean on is stale while its market is open."),
};

export const OPERATOR_ACCOUNT = object(
  "An account in the operator's list, valued when it is asked for. Null is unknown, or without meaning for the account.",
  ACCOUNT_FIELDS,
);
export type OperatorAccount = Wire<typeof OPERATOR_ACCOUNT>;

export const ACCOUNTS_LIST = describeList(OPERATOR_ACCOUNT, {
  sort: "-openedAtMs",
  ties: ["accountId"],
  parts: ["ownerName", "externalId"],
  beginnings: ["accountId", "ownerId"],
  isCounted: true,
});

/** The schema of `asOf`: the moment at which all figures of an answer are taken. */
export const AS_OF = object("The moment at which all figures of the answer are taken.", {
  quoteNumber: nullable(
    count("The number of the newest price that they lean on; null before the first."),
  ),
  atMs: time("Its time."),
});

export const ACCOUNTS_PAGE = object("One page of accounts, at one moment.", {
  ...pageFields(OPERATOR_ACCOUNT),
  asOf: AS_OF,
});

const TIER: Schema<1 | 2 | 3> = {
  json: { type: "integer", enum: [1, 2, 3], description: "Leverage tier; 1 by default." },
};

/** The body of `accounts.open`. Most fields that are left out have a default; the description of the field names it. */
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

/** The answer of calls that change an account and return only its id. */
export const CHANGED_ACCOUNT = object("The account that was changed.", {
  accountId: string("The account's id."),
});

const NEW_OWNER = boolean("Whether neither a person nor another account had its owner.");

export const OPENED_ACCOUNT = object("The account that was opened, as the list has it.", {
  ...ACCOUNT_FIELDS,
  newOwner: NEW_OWNER,
});

export const LINKED_ACCOUNT = object("The account that was linked.", {
  accountId: string("The account's id."),
  newOwner: NEW_OWNER,
});
