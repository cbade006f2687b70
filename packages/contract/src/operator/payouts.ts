import { PAYOUT_FIELDS } from "../resources/payout.ts";
import { boolean, object, optional, string, type Wire, word } from "../schema.ts";
import { PAYOUT_STATUSES } from "../words.ts";

export const OPERATOR_PAYOUT = object("A payout as its owner reads it, and its account.", {
  ...PAYOUT_FIELDS,
  restored: boolean(
    "True when a restore brought it back unpaid and no payment was recorded since: it may have been paid after the backup.",
  ),
  accountId: string("The account that earned it."),
});
export type OperatorPayout = Wire<typeof OPERATOR_PAYOUT>;

/** Fields that are left out keep their value. */
export const RECORD_PAYMENT = object("The status of a payment.", {
  status: word(PAYOUT_STATUSES, "`paid` cannot be changed afterwards."),
  rail: optional(string("How it is paid, such as `bank`.")),
  provider: optional(string("The payment provider, such as `stripe`.")),
  reference: optional(string("The payer's own number for the payment.")),
});
export type RecordPaymentRequest = Wire<typeof RECORD_PAYMENT>;
