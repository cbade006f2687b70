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

/** The fields have no objects inside, so that a field, a filter and a column have the same name. */
const ACCOUNT_FIELDS = {
  accountId: uuid("The account's id, a uuid."),
  externalId: nullable(id("The account's id in another system; null without one.")),
  ownerId: id("The id of the account's owner."),
  ownerName: nullable(
    string("The name of the owner's first person; null when no person may sign in for the owner."),
  ),
  network: word(
    NETWORKS,
    "`embedded`: the service's own trading network. `vanta`: a subaccount at a validator.",
  ),
  status: word(
    ACCOUNT_STATUSES,
    "`provisioning`: it cannot trade yet. `active`: it can trade. `eliminated`: it was eliminated. `closed`: it was closed.",
  ),
  phase: nullable(
    word(OPERATOR_PHASES, "The phase of the account; null when the network did not send it."),
  ),
  step: nullable(
    id(
      "The step of the account's program; equal to `phase` when the program has no steps. Null when the network did not send it.",
    ),
  ),
  programId: nullable(
    id(
      "The program that applies to the account now; on the pro track the pro program. Null for an account of a validator.",
    ),
  ),
  programVersion: nullable(
    count(
      "The version of the program that applies to the account; null for an account of a validator.",
    ),
  ),
  size: nullable(
    number("Account size of the current phase, USD; null when the network did not send it."),
  ),
  assetClass: nullable(
    word(
      ASSET_CLASSES,
      "The asset class that the account may trade; null when the network did not send it.",
    ),
  ),
  drawdownCriteria: nullable(
    word(
      CRITERIA,
      "How the maximum loss is measured: from the starting balance, or from a high-water mark. Null when the network did not send it.",
    ),
  ),
  dailyLossPct: nullable(
    number("The daily loss limit of the challenge, in percent; null when it is not known."),
  ),
  tier: nullable(
    number(
      "Leverage tier, 1 to 3; null on the pro track, which has other caps, and when it is not known.",
    ),
  ),
  openedAtMs: time("When the account was opened, or linked to a validator."),
  endedAtMs: nullable(time("When the account was eliminated or closed; null before that.")),
  endReason: nullable(
    string("The reason of the elimination; null for an account that was not eliminated."),
  ),
  balance: nullable(
    number(
      "Balance of the account, USD, for an ended account at its end; null when it is not known.",
    ),
  ),
  equity: nullable(
    number(
      "Equity of the account, USD, for an ended account at its end; null when it is not known.",
    ),
  ),
  dayStartEquity: nullable(
    number(
      "Equity at the start of the account's day, USD; null while the account is not active, or when it is not known.",
    ),
  ),
  todayPnl: nullable(
    number(
      "Profit or loss since the start of the account's day, USD; null while the account is not active, or when it is not known.",
    ),
  ),
  todayPnlPct: nullable(
    number(
      "`todayPnl` as a percent of `dayStartEquity`; null when `todayPnl` is null or `dayStartEquity` is not above 0.",
    ),
  ),
  nearestLimit: nullable(
    id(
      "The `rule` of the loss limit with the greatest used share at live equity; null while the account is not active, or when equity is not known.",
    ),
  ),
  nearestUsedOfLimitPct: nullable(
    number(
      "Share of the allowed loss of `nearestLimit` that is used up at live equity, in percent: 75 is three quarters. It is at least 0, and above 100 below the floor. Null when `nearestLimit` is null.",
    ),
  ),
  nearestRemaining: nullable(
    number(
      "Equity minus the floor of `nearestLimit`, USD, negative below the floor; null when `nearestLimit` is null.",
    ),
  ),
  breachMovePct: nullable(
    number(
      "The adverse move of all open positions, in percent of each price, beyond which a `live` loss limit ends the account. Null without open positions, and when no move does.",
    ),
  ),
  dailyUsedOfLimitPct: nullable(
    number(
      "Share of the daily limit's allowed loss that is used up at live equity, in percent, at least 0; null when it is not known.",
    ),
  ),
  dailyRemaining: nullable(
    number(
      "Equity minus the floor of the daily loss limit, USD, negative below the floor; null when it is not known.",
    ),
  ),
  dailyFloor: nullable(
    number(
      "Floor of the daily loss limit, USD, the lowest equity that is not a breach; null when it is not known.",
    ),
  ),
  dailyBreachPrice: nullable(
    number(
      "The mark price of the only open position at which equity equals `dailyFloor`. Null without exactly one open position, and when no price leads there.",
    ),
  ),
  lossUsedOfLimitPct: nullable(
    number(
      "Share of the allowed loss that is used up at live equity, in percent, at least 0, for the most used loss limit other than the daily one. Null when it is not known.",
    ),
  ),
  lossRemaining: nullable(
    number(
      "Equity minus the floor of the loss limit of `lossUsedOfLimitPct`, USD, negative below the floor; null when it is not known.",
    ),
  ),
  lossFloor: nullable(
    number(
      "Floor of the loss limit of `lossUsedOfLimitPct`, USD, the lowest equity that is not a breach; null when it is not known.",
    ),
  ),
  lossBreachPrice: nullable(
    number(
      "The mark price of the only open position at which equity equals `lossFloor`. Null without exactly one open position, and when no price leads there.",
    ),
  ),
  exposureGross: nullable(
    number("Sum of the absolute values of all open positions, USD; null when it is not known."),
  ),
  exposureNet: nullable(
    number(
      "Value of all LONG positions minus the value of all SHORT positions, USD; null when it is not known.",
    ),
  ),
  openPositions: nullable(count("Number of open positions; null when it is not known.")),
  restingOrders: nullable(
    count("Number of pending entry orders, without legs; null when it is not known."),
  ),
  lastOrderAtMs: nullable(
    time(
      "When the newest order was accepted. Edits count, cancellations do not. Null before the first order.",
    ),
  ),
  lastActivityAtMs: nullable(
    time(
      "Time of the newest journal event that an API key, the owner or the operator caused; null without one.",
    ),
  ),
  idleSinceMs: nullable(
    time(
      "Time from which the inactivity rule counts. While it does not count yet: the newest accepted order, or else the opening.",
    ),
  ),
  payoutDue: nullable(
    number(
      "Sum of the payouts of closed cycles that are not paid, USD; null when it is not known.",
    ),
  ),
  payoutAccruing: nullable(
    number(
      "Payout if the cycle in progress ended now, USD; null without a cycle, and when it cannot be estimated.",
    ),
  ),
  valuedAtMs: nullable(
    time(
      "Time of the prices with which the account was valued. For an account of a validator: when its figures were read; null before the first reading.",
    ),
  ),
  oldestQuoteAtMs: nullable(
    time(
      "Time of the oldest quote from which the figures are computed; null without an open position, and when a quote is missing.",
    ),
  ),
  isStale: boolean(
    "True when a quote behind the figures is missing, or is stale while its market is open. For an account of a validator: when the newest reading failed.",
  ),
};

export const OPERATOR_ACCOUNT = object(
  "An account in the operator's list, valued when the list is read. A field is null when it is not known or does not apply.",
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
export const AS_OF = object("The time to which all figures of the answer refer.", {
  quoteNumber: nullable(
    count("Number of the newest quote behind the figures; null before the first quote."),
  ),
  atMs: time("Time of the valuation."),
});

export const ACCOUNTS_PAGE = object("One page of accounts, all valued at one time.", {
  ...pageFields(OPERATOR_ACCOUNT),
  asOf: AS_OF,
});

const TIER: Schema<1 | 2 | 3> = {
  json: {
    type: "integer",
    enum: [1, 2, 3],
    description: "Leverage tier, 1 to 3; the default is 1.",
  },
};

/** The body of `accounts.open`. Most fields that are left out have a default; the description of the field names it. */
export const OPEN_ACCOUNT = object("An account to open.", {
  size: number("Account size in whole USD, one of the sizes that the program sells."),
  programId: optional(string("Id of the program; the default is `classic`.")),
  ownerId: optional(string("Id of the owner; by default a new id is made.")),
  externalId: optional(
    string("The account's id in another system. It must differ from that of every other account."),
  ),
  assetClass: optional(
    word(
      OWN_ASSET_CLASSES,
      "The asset class that the account may trade; the default is `all_markets`.",
    ),
  ),
  drawdownCriteria: optional(
    word(
      CRITERIA,
      "How the maximum loss is measured: from the starting balance, or from a high-water mark.",
    ),
  ),
  dailyLossPct: optional(number("Daily loss limit in percent, if the program offers a choice.")),
  tier: optional(TIER),
  provisioned: optional(
    boolean("False if the account may not trade until it is provisioned; the default is true."),
  ),
  override: optional(
    boolean("True opens the account even if its owner already has the maximum number of accounts."),
  ),
});
export type OpenAccountRequest = Wire<typeof OPEN_ACCOUNT>;

const SEEN_PHASE = word(
  OPERATOR_PHASES,
  "The phase in which you saw the account. If the account is in another phase, nothing changes and the answer is 409 `phase_changed`.",
);

export const PROMOTE_ACCOUNT = object("The promotion of an account to its next phase.", {
  phase: SEEN_PHASE,
});
export type PromoteAccountRequest = Wire<typeof PROMOTE_ACCOUNT>;

export const CLOSE_ACCOUNT = object("The closing of an account.", {
  phase: optional(SEEN_PHASE),
  forfeit: optional(
    boolean(
      "True forfeits the reward of the cycle in progress. By default the cycle is closed first, and its payout is owed.",
    ),
  ),
});
export type CloseAccountRequest = Wire<typeof CLOSE_ACCOUNT>;

export const ELIMINATE_ACCOUNT = object("The elimination of an account.", {
  reason: string("The reason. It is recorded permanently and shown to the owner."),
  phase: optional(SEEN_PHASE),
});
export type EliminateAccountRequest = Wire<typeof ELIMINATE_ACCOUNT>;

export const OFFER_PRO = object("A pro account to offer.", {
  proAccountSize: number("Size of the pro account, USD."),
  program: optional(string("Id of the pro program; the default is `pro`.")),
  phase: optional(SEEN_PHASE),
});
export type OfferProRequest = Wire<typeof OFFER_PRO>;

export const LINK_ACCOUNT = object("A subaccount at the validator to link to an account.", {
  subaccount: string(
    "The number of the subaccount, or its id at the validator: the hotkey of the entity, `_` and the number.",
  ),
  ownerId: string("Id of the owner of the account."),
  profitSplitPercent: optional(
    number("The trader's share of payouts in percent; the default is 100. It may exceed 100."),
  ),
});
export type LinkAccountRequest = Wire<typeof LINK_ACCOUNT>;

export const CLOSED_ACCOUNT = object("The account that was closed.", {
  accountId: string("The account's id."),
  payout: nullable(
    object(
      "The payout of the cycle that was closed with the account; null when there was nothing to pay.",
      {
        id: string("The id of the payout."),
        amount: number("Amount of the payout, USD."),
      },
    ),
  ),
  forfeited: nullable(
    number(
      "Rewards that were forfeited with the closing, held ones included, USD. Null for an account of a validator.",
    ),
  ),
});
export type ClosedAccount = Wire<typeof CLOSED_ACCOUNT>;

/** The answer of calls that change an account and return only its id. */
export const CHANGED_ACCOUNT = object("The account that was changed.", {
  accountId: string("The account's id."),
});

const NEW_OWNER = boolean(
  "True when the owner is new: no person and no other account belonged to it.",
);

export const OPENED_ACCOUNT = object(
  "The account that was opened, with the fields of the list of accounts.",
  {
    ...ACCOUNT_FIELDS,
    newOwner: NEW_OWNER,
  },
);

export const LINKED_ACCOUNT = object("The account that was linked.", {
  accountId: string("The account's id."),
  newOwner: NEW_OWNER,
});
