import type { ErrorName, RefusalCode } from "@propgate/contract";
import { TimeIsOver } from "./deadline.ts";

/**
 * The name of the rejection in the service's error table; `unlisted` for an answer outside the table, such as a
 * proxy's. Within v1 the texts may change, these names do not. @rule S7.table
 */
export type RejectionCode = ErrorName | "unlisted";

/** The error's code, from a closed set, for a `switch`. */
export type ErrorCode =
  | RejectionCode
  | "unreachable"
  | "unexpectedAnswer"
  | "aborted"
  | "invalidSetting"
  | "invalidOrder"
  | "missingLeg"
  | "historyDiffers"
  | "alertsMissing"
  | "orderFate";

/** The base of every error of this client. */
export abstract class PropgateError extends Error {
  override readonly name: string = "PropgateError";
  abstract readonly code: ErrorCode;
}

/** The facts of an answer that rejects a request. */
export interface Rejection {
  readonly status: number;
  readonly code: RejectionCode;
  /** The `error` string of the answer, word for word. */
  readonly error: string;
  /**
   * Why the trading network refused the order; null for every other rejection, and for a code that
   * only a newer version of this client knows. @rule D10.refusalCodes
   */
  readonly refusalCode: RefusalCode | null;
  /** The scope that the key lacks, with `insufficient_scope`; null otherwise. */
  readonly requiredScope: string | null;
  /** The wait of the `Retry-After` header, in milliseconds; null when the header is missing or not readable. */
  readonly retryAfterMs: number | null;
  /**
   * All headers of the answer by lower-case name, among them the service's diagnostic headers, such as its view of the
   * request.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** The service rejected the request. @rule S7.table */
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

  /** True for an error that may pass by itself, such as an exhausted budget or an unreachable upstream. */
  get isTemporary(): boolean {
    return TEMPORARY.includes(this.rejection.status);
  }
}

/**
 * The caller's signal, or the deadline of an order, aborted a request. A read has no effect. `placeOrder` and `settle`
 * do not throw this error: they resolve with `rejected` when the order was not sent, and with `unknown` otherwise.
 */
export class AbortedError extends PropgateError {
  override readonly name = "AbortedError";
  override readonly code = "aborted";

  /** True when the request was certainly not sent; false when it may have been sent. */
  readonly nothingWasSent: boolean;

  /** `cause` is the abort reason of the signal. */
  constructor(cause: unknown, nothingWasSent: boolean) {
    super(cause instanceof TimeIsOver ? cause.message : "aborted by the caller", { cause });
    this.nothingWasSent = nothingWasSent;
  }

  /** True when the deadline of an order ended the request; false when the signal of the caller ended it. */
  get isDeadline(): boolean {
    return this.cause instanceof TimeIsOver;
  }
}

/** `createClient` got an invalid setting, or a call got an invalid time limit. No request was sent. */
export class InvalidSettingError extends PropgateError {
  override readonly name = "InvalidSettingError";
  override readonly code = "invalidSetting";
  /** The setting's name, such as `baseUrl`. */
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super(`'${setting}' ${problem}`);
    this.setting = setting;
  }
}

/** The answer does not match the API: probably another server, or a proxy in front of it. */
export class UnexpectedAnswerError extends PropgateError {
  override readonly name = "UnexpectedAnswerError";
  override readonly code = "unexpectedAnswer";
  readonly status: number;
  /** The wait of the `Retry-After` header, in milliseconds; null when the header is missing or not readable. */
  readonly retryAfterMs: number | null;

  constructor(status: number, retryAfterMs: number | null = null) {
    const restarting = OF_PROXY.includes(status) ? RESTARTING : "";
    super(`status ${status} with a body that is not an answer of this API${restarting}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * True for an error that may pass by itself, by the statuses of `TEMPORARY`. They have the same meaning from a proxy
   * as from the service.
   */
  get isTemporary(): boolean {
    return TEMPORARY.includes(this.status);
  }
}

const OF_PROXY: readonly number[] = [502, 503, 504];
const TEMPORARY: readonly number[] = [429, ...OF_PROXY];

const RESTARTING = ": a proxy in front answers, and the service may be restarting";

/**
 * The order was not sent, because it has a number that is not finite. With `strict` also because it is invalid in every
 * market or has an unknown field.
 */
export class InvalidOrderError extends PropgateError {
  override readonly name = "InvalidOrderError";
  override readonly code = "invalidOrder";
  /** Unknown fields, such as `trade.limit_prise`; empty when the order has another problem. */
  readonly unreadFields: readonly string[];

  constructor(message: string, unreadFields: readonly string[]) {
    super(message);
    this.unreadFields = unreadFields;
  }
}

/**
 * Alerts of an owner did not reach this receiver. No key can read them; `webhooks replay --owner` makes the service
 * send them again. @rule D9.consumer
 */
export class AlertsMissingError extends PropgateError {
  override readonly name = "AlertsMissingError";
  override readonly code = "alertsMissing";

  /**
   * `last` is the number of the alert that was handled last. `previous` is the number of the alert that the webhook
   * sent just before the alert that has arrived.
   */
  constructor(
    ownerId: string | null,
    { last, previous }: { readonly last: number; readonly previous: number },
  ) {
    super(`alerts ${last + 1} to ${previous} of ${ownerId ?? "the operator"} are missing`);
  }
}

/**
 * The account's history does not contain the cursor: a backup was restored, the journal was rewritten, or the cursor
 * belongs to another account. A person has to decide, because a program that continues would mix two histories.
 * @rule D9.cursor
 */
export class HistoryDiffersError extends PropgateError {
  override readonly name = "HistoryDiffersError";
  override readonly code = "historyDiffers";

  /** `problem` describes the difference that was found. */
  constructor(problem: string, cause?: unknown) {
    super(`history differs: ${problem}`, { cause });
  }
}
