/** The database failed during a batch, so its commands may or may not have been carried out. */
export class UnknownFate extends Error {
  override readonly name = "UnknownFate";

  constructor(cause: unknown) {
    super("the database failed, so it is unknown whether the command was carried out", { cause });
  }
}
