import {
  DEFAULT_RETRY,
  InvalidSettingError,
  type RetryPlan,
  randomNonce,
  readBaseUrl,
  readTimeout,
} from "@propgate/sdk";

export interface OperatorSettings {
  /** Scheme, host and port of the service, or of the operator's own listener: `http://127.0.0.1:8788`. */
  readonly baseUrl: string;
  /** The root token or a named token. */
  readonly token: string;
  /**
   * How long a call may take until its answer is there, milliseconds; 60 s when absent. A file may take longer, but not
   * this long between two parts.
   */
  readonly timeoutMs?: number;
  /** How calls are repeated; `{ attempts: 1 }` repeats none. */
  readonly retry?: Partial<RetryPlan>;
  /** Makes the `Idempotency-Key` of a write: 1 to 255 printable ASCII characters, never the same twice. */
  readonly newKey?: () => string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Aborts the call, which throws AbortedError. A write may already have been carried out. */
  readonly signal?: AbortSignal;
  /** The settings' `timeoutMs` when absent. */
  readonly timeoutMs?: number;
  /**
   * The key of this write, which a program keeps to repeat the write after its own restart. Each write has a new key
   * when absent. @rule D12.repeatedWrites
   */
  readonly idempotencyKey?: string;
}

/** The settings with their defaults. */
export interface OperatorConnection {
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly plan: RetryPlan;
  readonly newKey: () => string;
  readonly fetch: typeof globalThis.fetch;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Throws InvalidSettingError. */
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
