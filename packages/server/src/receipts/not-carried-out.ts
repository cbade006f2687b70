/**
 * Somebody asked for the order's receipt when it was overdue and was told that it is not carried out;
 * so it is not. @rule D9.receipts
 */
export class NotCarriedOut extends Error {
  override readonly name = "NotCarriedOut";

  constructor() {
    super("its receipt had been ended before the order was decided");
  }
}
