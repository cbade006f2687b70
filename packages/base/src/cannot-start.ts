/**
 * The error of a service that cannot start with its settings or data. Message and `fix` are both written for the
 * operator.
 */
export class CannotStart extends Error {
  override readonly name: string = "CannotStart";
  readonly fix: string | null;

  constructor(message: string, options: { readonly fix?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.fix = options.fix ?? null;
  }
}
