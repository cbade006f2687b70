/** The database rejected the statement that contained the command, so no part of it is written. */
export class NotWritten extends Error {
  override readonly name: string = "NotWritten";

  /** `cause` is null when the node that owns the account has logged it. */
  constructor(cause: unknown) {
    super("the database rejected the command, so it was not carried out", { cause });
  }
}
