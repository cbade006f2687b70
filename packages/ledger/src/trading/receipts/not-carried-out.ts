/**
 * The command was not carried out and will not be. Unless a subclass has another reason, its receipt was closed as
 * rejected before the command was decided. @rule D9.receipts
 */
export class NotCarriedOut extends Error {
  override readonly name: string = "NotCarriedOut";

  constructor(why = "the receipt was closed before the order was decided") {
    super(why);
  }
}
