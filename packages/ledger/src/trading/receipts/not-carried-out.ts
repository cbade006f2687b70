/**
 * The order was overdue when its receipt was read, so the receipt was closed as rejected and the order
 * must not be carried out. @rule D9.receipts
 */
export class NotCarriedOut extends Error {
  override readonly name: string = "NotCarriedOut";

  constructor(why = "the receipt was closed before the order was decided") {
    super(why);
  }
}
