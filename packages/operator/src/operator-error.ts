import { isRecord, type OperatorErrorCode } from "@propgate/contract";
import { retryAfterMs, UnexpectedAnswerError } from "@propgate/sdk";

/** The parts of a refusal. @rule D12.errorCodes */
export interface OperatorRefusal {
  readonly status: number;
  /** A word of `OperatorErrorCode`; a newer service may have others, which are kept. */
  readonly code: OperatorErrorCode | (string & {});
  /** The sentence of the answer, word for word. */
  readonly error: string;
  /** The wrong field or parameter as it was sent; null when no single one is wrong. */
  readonly field: string | null;
  /** Ids and numbers, such as the `accountId` that has the external id; empty without any. */
  readonly details: Readonly<Record<string, unknown>>;
  /** From Retry-After, milliseconds; null without that header. */
  readonly retryAfterMs: number | null;
}

/** The service refused the call. */
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

/** The error of an answer whose status is not a success. */
export function errorOf(
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
