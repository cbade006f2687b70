// Made from the schemas of the contract by `npm run docs`.

import type { RefusalCode } from "@propgate/contract";
import type { OrderResult, SwitchResult } from "./order-result.ts";

/** The outcome of an order request. */
export interface Receipt {
  /** The nonce of the order request. */
  readonly nonce: string;
  /**
   * `accepted`: carried out. `rejected`: it changed nothing and never will. `pending`: not decided
   * yet, read it again; an order of a linked account stays pending, at any age, until the
   * validator's own word shows its fate. `unseen`: no order request with this nonce has arrived,
   * but one still can. `withdrawn`: another request of this key, such as a read, has used the
   * nonce, so no order with it is ever carried out.
   */
  readonly fate: "accepted" | "rejected" | "pending" | "unseen" | "withdrawn";
  /** When it arrived; null when unseen or withdrawn. */
  readonly receivedAtMs: number | null;
  /** The outcome of the request. */
  readonly result: OrderResult | null;
  /** HTTP status of the rejection; null unless rejected. */
  readonly status: number | null;
  /**
   * `error` of the rejection, word for word. While an order of a linked account is pending: since
   * when the validator has not said its fate, and what to look at. Else null.
   */
  readonly error: string | null;
  /** Why the trading network refused the order; null for anything else. */
  readonly refusalCode: RefusalCode | null;
  /** The dead man's switch after the request. */
  readonly cancelAllAfter: SwitchResult | null;
}
