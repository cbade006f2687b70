import { DASHBOARD_PREFIX, IDEMPOTENCY_HEADER, type OperatorErrorCode } from "@propgate/contract";
import { askForConfirmation } from "./confirmation.ts";

/**
 * The error of a call that failed: the service rejected the call or could not be reached. The message is shown to the
 * person.
 */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Seconds to wait before the next attempt; null when the service names none. */
  readonly retryAfterSeconds: number | null;
  /** The code of the rejection; null when the answer has none or no answer came. */
  readonly code: OperatorErrorCode | null;

  constructor(
    message: string,
    about: {
      readonly status: number;
      readonly retryAfter?: string | null;
      readonly code?: OperatorErrorCode;
    },
  ) {
    super(message);
    this.status = about.status;
    this.code = about.code ?? null;
    const seconds = Number(about.retryAfter ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  }
}

/** True when the account's network lacks the feature that the call needs. The error's message gives the reason. */
export function isNotOffered(error: Error | null): error is CallFailed {
  return error instanceof CallFailed && error.code === "not_offered";
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: string;
  readonly code?: OperatorErrorCode;
}

/**
 * Reads `data` of a call. Page and service are from the same release, so the shape of `data` is not checked.
 * @throws CallFailed
 */
export async function getData<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  return send<Data>("GET", path, signal === undefined ? {} : { signal });
}

/** Reads the text of a call that answers a file. @throws CallFailed */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetchAnswer(path, { signal, credentials: "same-origin" });
  if (!response.ok) throw failure(response, await parse(response));
  return receiveBody(() => response.text());
}

/** Makes a POST call and returns its `data`. @throws CallFailed */
export async function postData<Data>(path: string, body: unknown = {}): Promise<Data> {
  return sendData<Data>("POST", path, { body });
}

/**
 * Makes a call with an optional body and returns its `data`. Calls with the same `repeatKey` are carried out once.
 * @throws CallFailed
 */
export async function sendData<Data>(
  method: string,
  path: string,
  { body, repeatKey }: { readonly body?: unknown; readonly repeatKey?: string },
): Promise<Data> {
  return send<Data>(method, path, {
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(repeatKey === undefined ? {} : { [IDEMPOTENCY_HEADER]: repeatKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Makes a DELETE call and returns its `data`. @throws CallFailed */
export async function deleteData<Data>(path: string): Promise<Data> {
  return send<Data>("DELETE", path, {});
}

/**
 * Makes a call. When the service needs a confirmation of identity, the dialog is shown, and the call is repeated once
 * when the person has confirmed.
 */
async function send<Data>(method: string, path: string, options: RequestInit): Promise<Data> {
  try {
    return await sendOnce<Data>(method, path, options);
  } catch (cause) {
    if (!(cause instanceof CallFailed) || cause.code !== "confirmation_needed") throw cause;
  }
  if (await askForConfirmation()) return sendOnce<Data>(method, path, options);
  throw new CallFailed(
    "Nothing was changed, because you did not confirm your identity. Try again.",
    {
      status: 403,
    },
  );
}

async function sendOnce<Data>(method: string, path: string, options: RequestInit): Promise<Data> {
  const response = await fetchAnswer(path, { ...options, method, credentials: "same-origin" });
  const answer = await parse<Data>(response);
  if (response.ok && answer.data !== undefined) return answer.data;
  throw failure(response, answer);
}

function failure(response: Response, { error, code }: Answer<unknown>): CallFailed {
  return new CallFailed(error ?? `The service answered ${response.status}.`, {
    status: response.status,
    retryAfter: response.headers.get("Retry-After"),
    ...(code === undefined ? {} : { code }),
  });
}

function fetchAnswer(path: string, options: RequestInit): Promise<Response> {
  return receiveBody(() => fetch(`${DASHBOARD_PREFIX}/${path}`, options));
}

async function receiveBody<Part>(receive: () => Promise<Part>): Promise<Part> {
  try {
    return await receive();
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new CallFailed("The service cannot be reached. Is it running?", { status: 0 });
  }
}

/** Parses the body of a response. A connection that breaks before the end of the body counts as no answer. */
async function parse<Data>(response: Response): Promise<Answer<Data>> {
  const text = await receiveBody(() => response.text());
  try {
    const answer: Answer<Data> = JSON.parse(text);
    return answer;
  } catch {
    return { error: `The service answered ${response.status} without a message.` };
  }
}
