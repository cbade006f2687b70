import { UnknownFate } from "../network/unknown-fate.ts";

/**
 * An earlier passing of the order was carried out: its receipt exists, and nothing happened now. A caller that cannot
 * read the receipt must treat the order as one of unknown fate.
 */
export class CarriedOutBefore extends UnknownFate {
  override readonly name = "CarriedOutBefore";

  constructor() {
    super(new Error("the order has the receipt of an earlier passing"));
  }
}
