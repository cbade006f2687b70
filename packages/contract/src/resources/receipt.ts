import { SWITCH_RESULT } from "../dead-mans-switch/switch-result.ts";
import { REFUSAL_CODES } from "../refusals.ts";
import { nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { ORDER_RESULT } from "./order-result.ts";

/**
 * The fates of a receipt. `accepted`: the request was carried out. `rejected`: it was answered with an error, or was
 * not carried out and never will be. `pending`: it arrived, but is not decided yet, so the receipt should be read
 * again. A request that went to a validator stays pending until the validator decides it. `unseen`: this key has not
 * used the nonce yet. `withdrawn`: this key used the nonce in a request that does not change the account, such as a
 * read. All but `pending` and `unseen` are final.
 */
const RECEIPT_FATES = ["accepted", "rejected", "pending", "unseen", "withdrawn"] as const;

/**
 * `data` of GET receipts/{nonce}: the outcome of an earlier POST orders or POST cancel-all-after of this key. Additive,
 * outside the six endpoints of the specification.
 */
export const RECEIPT = object("The outcome of an order request.", {
  nonce: string("The nonce of the order request."),
  fate: word(
    RECEIPT_FATES,
    "`accepted`: carried out. `rejected`: it changed nothing and never will. `pending`: not decided yet, read it again; an order of a linked account stays pending, at any age, until the validator's own word shows its fate. `unseen`: no order request with this nonce has arrived, but one still can. `withdrawn`: another request of this key, such as a read, has used the nonce, so no order with it is ever carried out.",
  ),
  receivedAtMs: nullable(time("When it arrived; null when unseen or withdrawn.")),
  result: nullable(ORDER_RESULT),
  status: nullable(number("HTTP status of the rejection; null unless rejected.")),
  error: nullable(
    string(
      "`error` of the rejection, word for word. While an order of a linked account is pending: since when the validator has not said its fate, and what to look at. Else null.",
    ),
  ),
  refusalCode: nullable(
    word(REFUSAL_CODES, "Why the trading network refused the order; null for anything else."),
  ),
  cancelAllAfter: nullable(SWITCH_RESULT),
});
export type Receipt = Wire<typeof RECEIPT>;
