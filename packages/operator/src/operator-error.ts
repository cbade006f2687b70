import { isRecord, type OperatorErrorCode } from "@propgate/contract";
import { retryAfterMs, UnexpectedAnswerError } from "@propgate/sdk";

/** The parts of an answer by which the operator's interface refuses a call. @rule D12.errorCodes */
export interface OperatorRefusal {
  readonly status: number;
  /** A word of `OperatorErrorCode`. A word of a newer service is kept as it is. */
  readonly code: OperatorErrorCode | (string & {});
  /** `error` of the answer, word for word. */
  readonly error: string;
  /** The wrong field or parameter as it was sent; null when no single one is wrong. */
  readonly field: string | null;
  /**
   * Ids and numbers that a client can use, such as the `accountId` that has the external id. Empty when the refusal has
   * none.
   */
  readonly details: Readonly<Record<string, unknown>>;
  /** The wait of the `Retry-After` header in milliseconds; null without that header. */
  readonly retryAfterMs: number | null;
}

/** Thrown when the service refuses a call. It has the parts of the refusal. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly refusal: OperatorRefusal;

  constructor(refusal: OperatorRefusal) {
    super(`${refusal.status} ${refusal.error}`);
    this.refusal = refusal;
  }

  get status(): number {
    return this.refusal.status;
  }

  get code(): OperatorRefusal["code"] {
    return this.refusal.code;
  }

  get field(): string | null {
    return this.refusal.field;
  }

  get details(): Readonly<Record<string, unknown>> {
    return this.refusal.details;
  }
}

/**
 * The error of an answer that is not a success: OperatorError for a refusal, UnexpectedAnswerError for any other
 * answer.
 */
export function errorOfAnswer(
  { status, headers }: Response,
  body: Readonly<Record<string, unknown>> | null,
): OperatorError | UnexpectedAnswerError {
  const { error, code, field, details } = body ?? {};
  if (status < 400 || typeof error !== "string" || typeof code !== "string") {
    return new UnexpectedAnswerError(status, retryAfterMs(headers));
  }
  return new OperatorError({
    status,
    code,
    error,
    field: typeof field === "string" ? field : null,
    details: isRecord(details) ? details : {},
    retryAfterMs: retryAfterMs(headers),
  });
}
