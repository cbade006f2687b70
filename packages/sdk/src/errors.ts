/** What every error of this client has in common. */
export class PropgateError extends Error {
  override readonly name: string = "PropgateError";
}

export interface Rejection {
  readonly status: number;
  /** The `error` string of the answer, word for word. */
  readonly error: string;
  /** With `insufficient_scope`: the scope that the key lacks. */
  readonly requiredScope: string | null;
  /** From Retry-After, in milliseconds; null when the answer named no time. */
  readonly retryAfterMs: number | null;
  /** What the service saw and other help, by lower-case header name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The service answered, and the answer was no. @rule S7.table */
export class RejectedError extends PropgateError {
  override readonly name = "RejectedError";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(`${rejection.status} ${rejection.error}`);
    this.rejection = rejection;
  }

  get status(): number {
    return this.rejection.status;
  }

  /** True for what passes by itself: a used up budget, a service behind that is down. */
  get isTemporary(): boolean {
    return [429, 502, 503].includes(this.rejection.status);
  }
}

/** No answer came: refused, cut off or timed out. Nothing was changed by a read. */
export class UnreachableError extends PropgateError {
  override readonly name = "UnreachableError";
}

/**
 * An order was sent and nobody can say whether it was accepted: no answer came, or a 5xx. Read the
 * positions and orders before you place it again. @rule S4.2.notIdempotent
 */
export class UnknownFateError extends PropgateError {
  override readonly name = "UnknownFateError";
  /** The status of the answer; null when none came. */
  readonly status: number | null;

  constructor(status: number | null, cause: unknown) {
    const what = status === null ? "no answer came" : `the answer was ${status}`;
    super(`the order may or may not have been accepted: ${what}`, { cause });
    this.status = status;
  }
}

/** The answer is not what the interface promises: probably not this service, or a proxy before it. */
export class UnexpectedAnswerError extends PropgateError {
  override readonly name = "UnexpectedAnswerError";
}
