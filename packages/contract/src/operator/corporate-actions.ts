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
  pair: string("The equity, such as `AAPL`."),
  kind: word(ACTION_KINDS, "The kind of action."),
  newShares: optional(count("The shares that replace `oldShares` in a split, from 1 to 10,000.")),
  oldShares: optional(count("The shares that a split replaces, from 1 to 10,000.")),
  amount: optional(number("The dividend for one share, in the pair's quote currency.")),
  atMs: time(
    "Its moment. It affects what is held before it, and prices from it on include it. At least ten seconds away; or before the pair's newest quote, and then 409 when an account has a fill of the pair at the moment or later.",
  ),
  again: optional(
    boolean(
      "`true` for a second split of the pair within seven days, which otherwise answers 409. Only for splits.",
    ),
  ),
});
export type AnnounceActionRequest = Wire<typeof ANNOUNCE_ACTION>;

export const OPERATOR_ACTION = object("A corporate action.", {
  id: uuid("Its id, which the journal's events name."),
  pair: id("The equity."),
  kind: word(ACTION_KINDS, "The kind of action."),
  newShares: nullable(count("The shares that replace `oldShares`; null for a dividend.")),
  oldShares: nullable(count("The shares that are replaced; null for a dividend.")),
  amount: nullable(number("For one share, in the pair's quote currency; null for a split.")),
  atMs: time("Its moment."),
  status: word(
    ACTION_STATUSES,
    "`announced` until it is carried out on every account, and for at least a minute after its moment.",
  ),
  announcedBy: string("The operator who announced it."),
  announcedAtMs: time("When it was announced."),
  endedAtMs: nullable(time("When it was cancelled or carried out; null before.")),
});
/** The list of corporate actions. */
export const ACTIONS_LIST = describeList(OPERATOR_ACTION, {
  sort: "-atMs",
  ties: ["id"],
  beginnings: ["pair", "id"],
});
export type OperatorAction = Wire<typeof OPERATOR_ACTION>;

const FUNDING_FIELDS = {
  pair: id("A pair whose carry comes from the source."),
  atMs: time("The hour that the rate is for."),
  rate: number("Share of the value held: above 0 a LONG pays and a SHORT receives; from -1 to 1."),
};

export const SET_FUNDING = object(
  "The funding rate of an hour. It replaces the hour's earlier one until ten seconds before the charge.",
  {
    ...FUNDING_FIELDS,
    large: optional(
      boolean("True for a rate beyond 0.75 % an hour, which answers 409 without it."),
    ),
  },
);
export type SetFundingRequest = Wire<typeof SET_FUNDING>;

export const OPERATOR_FUNDING = object("The funding rate of a pair for one hour.", {
  ...FUNDING_FIELDS,
  source: string("The operator or the venue that gave the rate."),
});

export const FUNDING_LIST = describeList(OPERATOR_FUNDING, {
  sort: "-atMs",
  ties: ["pair", "atMs"],
  parts: ["source"],
  beginnings: ["pair"],
});
