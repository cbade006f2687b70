/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `skipped`: it could not be told, because of what failed before it or of the service's age. */
  readonly state: "ok" | "failed" | "skipped";
  readonly detail: string;
  /** What to do; null unless it failed. */
  readonly fix: string | null;
}

export function ok(name: string, detail: string): Check {
  return { name, state: "ok", detail, fix: null };
}

export function failed(name: string, detail: string, fix: string): Check {
  return { name, state: "failed", detail, fix };
}

export function skipped(name: string, detail: string): Check {
  return { name, state: "skipped", detail, fix: null };
}
