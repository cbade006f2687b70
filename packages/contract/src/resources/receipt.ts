import { REFUSAL_CODES } from "../refusals.ts";
import { nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { ORDER_RESULT } from "./order-result.ts";

/**
 * `accepted`: carried out. `rejected`: answered with an error, or never carried out and never will
 * be. `pending`: it has arrived and is not decided yet: ask again. `unseen`: no write of this key had
 * this nonce.
 */
const RECEIPT_FATES = ["accepted", "rejected", "pending", "unseen"] as const;

/**
 * `data` of GET receipts/{nonce}: what became of an earlier POST orders of this key. Additive, outside
 * the six endpoints of the specification.
 */
export const RECEIPT = object("What became of a write.", {
  nonce: string("As it was asked for."),
  fate: word(
    RECEIPT_FATES,
    "`accepted`: carried out. `rejected`: it changed nothing and never will. `pending`: not decided yet, ask again. `unseen`: no write with this nonce has arrived.",
  ),
  receivedAtMs: nullable(time("When it arrived; null: unseen.")),
  result: nullable(ORDER_RESULT),
  status: nullable(number("HTTP status of the rejection; null unless rejected.")),
  error: nullable(string("`error` of the rejection, word for word; null unless rejected.")),
  refusalCode: nullable(
    word(REFUSAL_CODES, "Why the trading network refused the order; null for anything else."),
  ),
});
export type Receipt = Wire<typeof RECEIPT>;
