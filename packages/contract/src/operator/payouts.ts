import { PAYOUT_FIELDS } from "../resources/payout.ts";
import {
  boolean,
  count,
  id,
  list,
  nullable,
  number,
  object,
  optional,
  string,
  uuid,
  type Wire,
  word,
} from "../schema.ts";
import { PAYOUT_STATUSES } from "../words.ts";
import { describeList } from "./lists/list-description.ts";
import { pageFields } from "./page.ts";

export const OPERATOR_PAYOUT = object("A payout as its owner reads it, and its account.", {
  ...PAYOUT_FIELDS,
  restored: boolean(
    "True when a restore brought it back unpaid and no payment was recorded since: it may have been paid after the backup.",
  ),
  accountId: uuid("The account that earned it."),
  externalId: nullable(id("The account's id in another system; null without one.")),
  ownerId: id("The account's owner."),
  programId: nullable(
    id("The program that bound the account when the cycle closed; null when it is not known."),
  ),
});

export const PAYOUTS_LIST = describeList(OPERATOR_PAYOUT, {
  sort: "-periodEndMs",
  ties: ["id"],
  parts: ["externalId"],
  beginnings: ["id", "accountId", "ownerId"],
  isCounted: true,
});

/** A page of `payouts.list`, with the sums of all pages. */
export const PAYOUTS_PAGE = object("One page of payouts.", {
  ...pageFields(OPERATOR_PAYOUT),
  sums: list(
    object("All payouts of the filter with one status.", {
      status: word(PAYOUT_STATUSES, "The status."),
      count: count("How many."),
      amount: number("The sum of their amounts, USD."),
      paidAmount: number("The sum of the amounts that were recorded as paid, USD."),
    }),
    "Each status once, also without a payout.",
  ),
});
export type OperatorPayout = Wire<typeof OPERATOR_PAYOUT>;

/** The body of `payouts.record`. A field that is left out keeps its value. */
export const RECORD_PAYMENT = object("The status of a payment.", {
  status: word(PAYOUT_STATUSES, "`paid` cannot be changed afterwards."),
  rail: optional(string("How it is paid, such as `bank`.")),
  provider: optional(string("The payment provider, such as `stripe`.")),
  reference: optional(string("The payer's own number for the payment.")),
  paidAmount: optional(
    number(
      "The amount that was paid, USD in whole cents; at most a cent from the payout's amount. Only with the status `paid`.",
    ),
  ),
});
export type RecordPaymentRequest = Wire<typeof RECORD_PAYMENT>;
