/** The database rejected what would have written the command, so nothing of it is written. */
export class NotWritten extends Error {
  override readonly name: string = "NotWritten";

  /** `cause` is null when the account's owner has logged it. */
  constructor(cause: unknown) {
    super("the database rejected the command, so it was not carried out", { cause });
  }
}
