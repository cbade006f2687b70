import { DASHBOARD_PREFIX } from "@propgate/contract";

/** The service refused a call, or could not be reached; the message is for people. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** How long to wait, where the service says so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    about: { readonly status: number; readonly retryAfter?: string | null },
  ) {
    super(message);
    this.status = about.status;
    const seconds = Number(about.retryAfter ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  }
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: string;
}

/** `data` of a call. Page and service are of one release, so its shape is taken as agreed. @throws CallFailed */
export async function read<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  return send<Data>("GET", path, signal === undefined ? {} : { signal });
}

/** @throws CallFailed */
export async function write<Data>(path: string, body: object = {}): Promise<Data> {
  const headers = { "Content-Type": "application/json" };
  return send<Data>("POST", path, { body: JSON.stringify(body), headers });
}

/** @throws CallFailed */
export async function remove<Data>(path: string): Promise<Data> {
  return send<Data>("DELETE", path, {});
}

async function send<Data>(method: string, path: string, options: RequestInit): Promise<Data> {
  const response = await reach(path, { ...options, method, credentials: "same-origin" });
  const answer = await parse<Data>(response);
  if (response.ok && answer.data !== undefined) return answer.data;
  throw new CallFailed(answer.error ?? `The service answered ${response.status}.`, {
    status: response.status,
    retryAfter: response.headers.get("Retry-After"),
  });
}

async function reach(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(`${DASHBOARD_PREFIX}/${path}`, options);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new CallFailed("The service cannot be reached. Is it running?", { status: 0 });
  }
}

async function parse<Data>(response: Response): Promise<Answer<Data>> {
  try {
    const answer: Answer<Data> = await response.json();
    return answer;
  } catch {
    return { error: `The service answered ${response.status} without words.` };
  }
}
