import {
  IDEMPOTENCY_HEADER,
  isRecord,
  OPERATOR_PREFIX,
  type OperatorCall,
} from "@propgate/contract";
import {
  fetchResponse,
  inTime,
  pause,
  type RetryPlan,
  readTimeout,
  UnexpectedAnswerError,
  UnreachableError,
} from "@propgate/sdk";
import { errorOfAnswer, OperatorError } from "./operator-error.ts";
import type { CallOptions, OperatorConnection } from "./operator-settings.ts";

/** One call, which is the same in all its attempts. */
export interface OutgoingCall {
  readonly method: OperatorCall["method"];
  /** The path below the prefix of the interface, with its query. */
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly contentType: string;
  /** The `Idempotency-Key`; null for a call whose answer is not kept. @rule D12.repeatedWrites */
  readonly key: string | null;
  readonly options: CallOptions;
}

type Envelope = Readonly<Record<string, unknown>>;

/**
 * Sends the call, with repetitions, and returns the envelope of its success. Throws OperatorError,
 * UnexpectedAnswerError, UnreachableError or AbortedError.
 */
export async function sendForJson(
  connection: OperatorConnection,
  outgoing: OutgoingCall,
): Promise<Envelope> {
  return repeatCall(connection.plan, outgoing, async () => {
    const { response, body } = await sendOnce(connection, outgoing, false);
    if (body?.success === true) return body;
    throw new UnexpectedAnswerError(response.status);
  });
}

/**
 * Sends the call, with repetitions, and returns its successful answer with the body unread. Throws like `sendForJson`.
 */
export async function sendForFile(
  connection: OperatorConnection,
  outgoing: OutgoingCall,
): Promise<Response> {
  return repeatCall(connection.plan, outgoing, async () => {
    const { response } = await sendOnce(connection, outgoing, true);
    return response;
  });
}

/** Sends the call once. `body` is null when `isFile`, because a file is read later. */
async function sendOnce(
  connection: OperatorConnection,
  { method, path, body, contentType, key, options }: OutgoingCall,
  isFile: boolean,
): Promise<{ readonly response: Response; readonly body: Envelope | null }> {
  const url = new URL(`${OPERATOR_PREFIX}${path}`, connection.baseUrl);
  const headers = {
    Authorization: `Bearer ${connection.token}`,
    ...(body === null ? {} : { "Content-Type": contentType }),
    ...(key === null ? {} : { [IDEMPOTENCY_HEADER]: key }),
  };
  const answer = await inTime(
    { signal: options.signal ?? null, baseUrl: connection.baseUrl },
    readTimeout("timeoutMs", options.timeoutMs, connection.timeoutMs),
    async (signal) => {
      const response = await fetchResponse(connection, url, { method, headers, body, signal });
      const isRead = !isFile || response.status !== 200;
      return { response, body: isRead ? parseObject(await response.text()) : null };
    },
  );
  if (answer.response.status !== 200) throw errorOfAnswer(answer.response, answer.body);
  return answer;
}

function parseObject(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Repeats `attempt` after no answer, after a 429, 502, 503 or 504, and while the first request with the key is in
 * progress. All attempts have the same key, so a write is carried out once. @rule D12.repeatedWrites
 */
async function repeatCall<Value>(
  plan: RetryPlan,
  { options }: OutgoingCall,
  attempt: () => Promise<Value>,
): Promise<Value> {
  const nextWait = createRetryWaits(plan);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = nextWait(error);
      if (waitMs === null) throw error;
      await pause(plan, waitMs, options.signal ?? null);
    }
  }
}

/**
 * Returns the function that gives, after each error of one call, the milliseconds to wait before the next attempt; null
 * when the error is final.
 */
export function createRetryWaits(plan: RetryPlan): (error: unknown) => number | null {
  let [attempts, waits] = [1, 0];
  return (error) => {
    if (isInProgress(error) && plan.attempts > 1 && waits < UNDER_WAY_WAITS) {
      waits += 1;
      return retryWaitMs(plan, 1, error);
    }
    if (attempts >= plan.attempts || !isTemporary(error)) return null;
    attempts += 1;
    return retryWaitMs(plan, attempts - 1, error);
  };
}

/**
 * The maximum number of times that a call waits for the first request with its key. The service's `Retry-After` makes
 * each wait a second long. A request whose process has ended counts as in progress for at most 30 s.
 */
const UNDER_WAY_WAITS = 60;

function isInProgress(error: unknown): boolean {
  return error instanceof OperatorError && error.code === "idempotency_in_progress";
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    isInProgress(error) ||
    (error instanceof OperatorError && TEMPORARY.includes(error.status)) ||
    (error instanceof UnexpectedAnswerError && error.isTemporary)
  );
}

const TEMPORARY: readonly number[] = [429, 502, 503, 504];

function retryAfterOf(error: unknown): number | null {
  if (error instanceof OperatorError) return error.refusal.retryAfterMs;
  return error instanceof UnexpectedAnswerError ? error.retryAfterMs : null;
}

function retryWaitMs(plan: RetryPlan, attempts: number, error: unknown): number | null {
  const waitMs = retryAfterOf(error) ?? plan.firstWaitMs * 2 ** (attempts - 1);
  return waitMs <= plan.longestWaitMs ? waitMs : null;
}
