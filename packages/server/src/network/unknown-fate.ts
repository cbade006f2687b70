/** The database failed while a batch was on its way: what it held may or may not have happened. */
export class UnknownFate extends Error {
  override readonly name = "UnknownFate";

  constructor(cause: unknown) {
    super("the database failed, so it is unknown whether the command was carried out", { cause });
  }
}
