import type { ErrorName } from "@propgate/contract";

/**
 * Which row of the service's error table an answer is of; `unlisted`: of none, as what stands in
 * front of a service says. Words may be clarified within v1, these names do not change. @rule S7.table
 */
export type RejectionCode = ErrorName | "unlisted";

/** What went wrong, whoever says so: a closed set to switch over. */
export type ErrorCode =
  | RejectionCode
  | "unreachable"
  | "unexpectedAnswer"
  | "invalidOrder"
  | "missingLeg"
  | "orderFate";

/** What every error of this client has in common. */
export abstract class PropgateError extends Error {
  override readonly name: string = "PropgateError";
  abstract readonly code: ErrorCode;
}

export interface Rejection {
  readonly status: number;
  readonly code: RejectionCode;
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

  override get code(): RejectionCode {
    return this.rejection.code;
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
  override readonly code = "unreachable";

  /** True when there was never a connection, so that nothing can have arrived; false: nobody knows. */
  get nothingWasSent(): boolean {
    const codes = [this.cause, causeOf(this.cause)].map(codeOf);
    return codes.some((code) => NOT_CONNECTED.includes(code));
  }
}

/** What Node and others say of a connection that did not come about. */
const NOT_CONNECTED: readonly unknown[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
];

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : null;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}

/** The answer is not what the interface promises: probably not this service, or a proxy before it. */
export class UnexpectedAnswerError extends PropgateError {
  override readonly name = "UnexpectedAnswerError";
  override readonly code = "unexpectedAnswer";
  readonly status: number;

  constructor(status: number) {
    super(`status ${status} with a body that is no answer of this API`);
    this.status = status;
  }
}

/** With `strict`: the order would not do what it says. It was not sent. */
export class InvalidOrderError extends PropgateError {
  override readonly name = "InvalidOrderError";
  override readonly code = "invalidOrder";
  /** Fields that nothing reads, as `trade.limit_prise`; empty when the first problem is another. */
  readonly unreadFields: readonly string[];

  constructor(message: string, unreadFields: readonly string[]) {
    super(message);
    this.unreadFields = unreadFields;
  }
}
