import {
  boolean,
  count,
  id,
  nullable,
  number,
  object,
  optional,
  string,
  time,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

const ACTION_KINDS = ["split", "dividend"] as const;
const ACTION_STATUSES = ["announced", "cancelled", "carriedOut"] as const;

/**
 * The body of `corporateActions.announce`. Each kind has its own fields: a split has both numbers of shares, a dividend
 * has its amount.
 */
export const ANNOUNCE_ACTION = object("A corporate action to announce.", {
  pair: string("The pair of the equity, such as `AAPL`."),
  kind: word(ACTION_KINDS, "The kind of corporate action."),
  newShares: optional(
    count(
      "Number of shares after the split that replace `oldShares`, from 1 to 10,000. Only for a split.",
    ),
  ),
  oldShares: optional(
    count("Number of shares before the split, from 1 to 10,000. Only for a split."),
  ),
  amount: optional(
    number("The dividend for one share, in the pair's quote currency. Only for a dividend."),
  ),
  atMs: time(
    "When the action takes effect. It applies to positions and orders from before this time; prices from this time on already include it. The time is at least ten seconds ahead, or before the pair's newest quote. In the second case the answer is 409 if an account has a fill of the pair at this time or later.",
  ),
  again: optional(
    boolean(
      "`true` for a second split of the pair within seven days, which is otherwise answered with 409. Only for a split.",
    ),
  ),
});
export type AnnounceActionRequest = Wire<typeof ANNOUNCE_ACTION>;

export const OPERATOR_ACTION = object("A corporate action.", {
  id: uuid("The id of the corporate action, as in the events of the journal."),
  pair: id("The pair of the equity."),
  kind: word(ACTION_KINDS, "The kind of corporate action."),
  newShares: nullable(
    count("Number of shares after the split that replace `oldShares`; null for a dividend."),
  ),
  oldShares: nullable(count("Number of shares before the split; null for a dividend.")),
  amount: nullable(
    number("The dividend for one share, in the pair's quote currency; null for a split."),
  ),
  atMs: time("When the action takes effect."),
  status: word(
    ACTION_STATUSES,
    "`announced` until the action is applied to every account, and for at least a minute after `atMs`. Then `carriedOut`. `cancelled` if an operator cancelled it.",
  ),
  announcedBy: string("The operator who announced the action."),
  announcedAtMs: time("When the action was announced."),
  endedAtMs: nullable(time("When the action was cancelled or carried out; null before that.")),
});
/** How corporate actions are listed: the latest first. `q` finds them by the beginning of their pair or id. */
export const ACTIONS_LIST = describeList(OPERATOR_ACTION, {
  sort: "-atMs",
  ties: ["id"],
  beginnings: ["pair", "id"],
});
export type OperatorAction = Wire<typeof OPERATOR_ACTION>;

const FUNDING_FIELDS = {
  pair: id("A pair whose funding rate comes from the price source."),
  atMs: time("The start of the hour of the rate, Unix milliseconds."),
  rate: number(
    "Funding rate as a fraction of the position value, from -1 to 1. Above 0 a LONG pays and a SHORT receives.",
  ),
};

export const SET_FUNDING = object(
  "The funding rate of one hour. It replaces an earlier rate of that hour, until ten seconds before the charge.",
  {
    ...FUNDING_FIELDS,
    large: optional(
      boolean(
        "True for a rate above 0.75 % an hour, in either direction, which is otherwise answered with 409.",
      ),
    ),
  },
);
export type SetFundingRequest = Wire<typeof SET_FUNDING>;

export const OPERATOR_FUNDING = object("The funding rate of a pair for one hour.", {
  ...FUNDING_FIELDS,
  source: string("The operator or the venue that set the rate."),
});

export const FUNDING_LIST = describeList(OPERATOR_FUNDING, {
  sort: "-atMs",
  ties: ["pair", "atMs"],
  parts: ["source"],
  beginnings: ["pair"],
});
