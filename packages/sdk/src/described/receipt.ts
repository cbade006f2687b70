// Made from the schemas of the contract by `npm run docs`.

import type { RefusalCode } from "@propgate/contract";
import type { OrderResult, SwitchResult } from "./order-result.ts";

/** The outcome of an order request or a dead man's switch request. */
export interface Receipt {
  /** The nonce of that request. */
  readonly nonce: string;
  /**
   * `accepted`: the request was carried out. `rejected`: it changed nothing and never will.
   * `pending`: it is not decided yet, so read the receipt again. An order of a linked account stays
   * pending until the validator reports its outcome, however long that takes. `unseen`: no order
   * request with this nonce has arrived, but one still can. `withdrawn`: another request of this
   * key, such as a read, has used the nonce, so no order with it is ever carried out.
   */
  readonly fate: "accepted" | "rejected" | "pending" | "unseen" | "withdrawn";
  /** When the request arrived; null when `fate` is `unseen` or `withdrawn`. */
  readonly receivedAtMs: number | null;
  /** The outcome of the request. */
  readonly result: OrderResult | null;
  /** HTTP status of the rejection; null unless `fate` is `rejected`. */
  readonly status: number | null;
  /**
   * The `error` text of the rejection. For a pending order of a linked account: since when the
   * validator has not reported the outcome, and what to check. Null in all other cases.
   */
  readonly error: string | null;
  /** Why the trading network refused the order; null when it did not. */
  readonly refusalCode: RefusalCode | null;
  /** The dead man's switch after the request. */
  readonly cancelAllAfter: SwitchResult | null;
}
