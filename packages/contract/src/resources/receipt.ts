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
export const RECEIPT = object("The outcome of an order request or a dead man's switch request.", {
  nonce: string("The nonce of that request."),
  fate: word(
    RECEIPT_FATES,
    "`accepted`: the request was carried out. `rejected`: it changed nothing and never will. `pending`: it is not decided yet, so read the receipt again. An order of a linked account stays pending until the validator reports its outcome, however long that takes. `unseen`: no order request with this nonce has arrived, but one still can. `withdrawn`: another request of this key, such as a read, has used the nonce, so no order with it is ever carried out.",
  ),
  receivedAtMs: nullable(
    time("When the request arrived; null when `fate` is `unseen` or `withdrawn`."),
  ),
  result: nullable(ORDER_RESULT),
  status: nullable(number("HTTP status of the rejection; null unless `fate` is `rejected`.")),
  error: nullable(
    string(
      "The `error` text of the rejection. For a pending order of a linked account: since when the validator has not reported the outcome, and what to check. Null in all other cases.",
    ),
  ),
  refusalCode: nullable(
    word(REFUSAL_CODES, "Why the trading network refused the order; null when it did not."),
  ),
  cancelAllAfter: nullable(SWITCH_RESULT),
});
export type Receipt = Wire<typeof RECEIPT>;
