/** One check of `propgate doctor`, and its result. */
export interface Check {
  readonly name: string;
  /** `skipped`: the check was not possible, because an earlier one failed or the service does not answer it. */
  readonly state: "ok" | "failed" | "skipped";
  readonly detail: string;
  /** The remedy for the person; null unless the check failed. */
  readonly fix: string | null;
}

/** A check that succeeded. */
export function okCheck(name: string, detail: string): Check {
  return { name, state: "ok", detail, fix: null };
}

/** A check that failed, with its remedy. */
export function failedCheck(name: string, detail: string, fix: string): Check {
  return { name, state: "failed", detail, fix };
}

/** A check that was not possible. */
export function skippedCheck(name: string, detail: string): Check {
  return { name, state: "skipped", detail, fix: null };
}
