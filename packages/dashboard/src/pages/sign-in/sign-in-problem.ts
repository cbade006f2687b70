import { CallFailed } from "../../api/call.ts";

/** Why a sign-in failed, and when it can be repeated. */
export interface SignInProblem {
  readonly text: string;
  /** Seconds until the next attempt is allowed; null when it is allowed immediately. */
  readonly waitSeconds: number | null;
}

/** The problem of a sign-in that has failed with this error. */
export function signInProblem(cause: unknown): SignInProblem {
  if (!(cause instanceof CallFailed)) {
    return { text: "The sign-in failed. Try again.", waitSeconds: null };
  }
  if (cause.status === 429) {
    const waitSeconds = Math.max(1, Math.ceil(cause.retryAfterSeconds ?? 60));
    return { text: "Too many failed attempts.", waitSeconds };
  }
  if (cause.status === 401) {
    const text = "Wrong name or password. Passwords are case-sensitive.";
    return { text, waitSeconds: null };
  }
  return { text: cause.message, waitSeconds: null };
}
