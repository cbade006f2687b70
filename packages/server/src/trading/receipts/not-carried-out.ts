/**
 * The order's receipt was read when the order was overdue, and then says that the order is not
 * carried out; so it must not be. @rule D9.receipts
 */
export class NotCarriedOut extends Error {
  override readonly name = "NotCarriedOut";

  constructor() {
    super("its receipt had been ended before the order was decided");
  }
}
