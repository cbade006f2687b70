import {
  DEFAULT_RETRY,
  InvalidSettingError,
  type RetryPlan,
  randomNonce,
  readBaseUrl,
  readTimeout,
} from "@propgate/sdk";

/** The address of the service, the token, and the optional settings with which `createOperator` makes a client. */
export interface OperatorSettings {
  /** Scheme, host and port of the service, or of the operator's own listener, such as `http://127.0.0.1:8788`. */
  readonly baseUrl: string;
  /** The root token or a named token. */
  readonly token: string;
  /**
   * The time limit of a call until its answer is there, in milliseconds; 60 s when absent. A file may take longer as a
   * whole, but not longer than this between two parts.
   */
  readonly timeoutMs?: number;
  /** How calls are repeated; `{ attempts: 1 }` never repeats one. */
  readonly retry?: Partial<RetryPlan>;
  /**
   * Makes the `Idempotency-Key` of a write: 1 to 255 printable ASCII characters, which are different for each write.
   */
  readonly newKey?: () => string;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The options that every method takes as its last argument. They apply to this one call: they can abort it, limit its
 * time, and name the idempotency key of a write.
 */
export interface CallOptions {
  /** Aborts the call, which then throws AbortedError. A write may have been carried out before. */
  readonly signal?: AbortSignal;
  /** The time limit of this call in milliseconds; that of the settings when absent. */
  readonly timeoutMs?: number;
  /**
   * The `Idempotency-Key` of this write. A client that stores it can repeat the write after its own restart. When
   * absent, the write gets a new key. @rule D12.repeatedWrites
   */
  readonly idempotencyKey?: string;
}

/** The settings after their checks, with the defaults. */
export interface OperatorConnection {
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly plan: RetryPlan;
  readonly newKey: () => string;
  readonly fetch: typeof globalThis.fetch;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Checks the settings and adds the defaults. Throws InvalidSettingError for an invalid one. */
export function connectionOf(settings: OperatorSettings): OperatorConnection {
  return {
    baseUrl: readBaseUrl(settings.baseUrl),
    token: readToken(settings.token),
    timeoutMs: readTimeout("timeoutMs", settings.timeoutMs, DEFAULT_TIMEOUT_MS),
    plan: { ...DEFAULT_RETRY, ...settings.retry },
    newKey: settings.newKey ?? randomNonce,
    fetch: settings.fetch ?? globalThis.fetch,
  };
}

function readToken(given: unknown): string {
  if (typeof given === "string" && /^[\x21-\x7e]+$/.test(given)) return given;
  throw new InvalidSettingError("token", "must be printable ASCII without spaces or line breaks");
}
