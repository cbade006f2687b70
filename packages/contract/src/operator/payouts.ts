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

export const OPERATOR_PAYOUT = object(
  "A payout as the account's owner reads it, with its account.",
  {
    ...PAYOUT_FIELDS,
    restored: boolean(
      "True when a restore brought the payout back as unpaid and no payment was recorded since. It may have been paid after the backup.",
    ),
    accountId: uuid("The account that earned it."),
    externalId: nullable(id("The account's id in another system; null without one.")),
    ownerId: id("The id of the account's owner."),
    programId: nullable(
      id(
        "The program that applied to the account when the cycle was closed; null when it is not known.",
      ),
    ),
  },
);

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
    object("The payouts with one status among those that pass the filters.", {
      status: word(PAYOUT_STATUSES, "The status of the payments."),
      count: count("Number of payouts."),
      amount: number("Sum of the payouts' amounts, USD."),
      paidAmount: number("Sum of the amounts that were recorded as paid, USD."),
    }),
    "One item for each status, also for one without payouts.",
  ),
});
export type OperatorPayout = Wire<typeof OPERATOR_PAYOUT>;

/** The body of `payouts.record`. A field that is left out keeps its value. */
export const RECORD_PAYMENT = object("The status of a payment. An omitted field keeps its value.", {
  status: word(PAYOUT_STATUSES, "The new status. `paid` is final."),
  rail: optional(string("The payment rail, such as `bank`.")),
  provider: optional(string("The payment provider, such as `stripe`.")),
  reference: optional(string("The payer's reference of the payment.")),
  paidAmount: optional(
    number(
      "The amount that was paid, USD in whole cents. It may differ from the payout's amount by at most one cent. Only with the status `paid`.",
    ),
  ),
});
export type RecordPaymentRequest = Wire<typeof RECORD_PAYMENT>;
