import { CallFailed } from "../../api/call.ts";

/** Why somebody was not let in. */
export interface SignInProblem {
  readonly text: string;
  /** How long nobody is let in; null: it can be tried at once. */
  readonly waitSeconds: number | null;
}

export function signInProblem(cause: unknown): SignInProblem {
  if (!(cause instanceof CallFailed)) {
    return { text: "You could not be signed in. Try it again.", waitSeconds: null };
  }
  if (cause.status === 429) {
    const waitSeconds = Math.max(1, Math.ceil(cause.retryAfterSeconds ?? 60));
    return { text: "Too many failed attempts.", waitSeconds };
  }
  if (cause.status === 401) {
    const text = "Name and password do not belong together. Capitals count in the password.";
    return { text, waitSeconds: null };
  }
  return { text: cause.message, waitSeconds: null };
}
