/** The database or the node that owns the account failed, so the command may or may not have been carried out. */
export class UnknownFate extends Error {
  override readonly name: string = "UnknownFate";

  constructor(cause: unknown) {
    super("it is unknown whether the command was carried out", { cause });
  }
}
