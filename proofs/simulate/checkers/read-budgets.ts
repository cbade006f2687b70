import { LIMITS } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { HttpExchange } from "../checker.ts";
import { errorTextOf } from "./answers.ts";

interface BudgetWindow {
  /** The number of answered reads that used the budget. */
  served: number;
  /** The number of all reads that may have been admitted in the minute. */
  sent: number;
}

interface Broken {
  readonly accountId: AccountId;
  readonly message: string;
}

/** The statuses of reads that do not use the budget. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 403, 409, 429, 500]);
const KEPT_WINDOWS = 3;

/** Counts the reads of each key by clock minute. Only reads that began and ended in one minute are judged. */
export class ReadBudgets {
  readonly #keys = new Map<string, Map<number, BudgetWindow>>();

  take(ended: readonly HttpExchange[]): readonly Broken[] {
    const reads = ended.filter(({ call }) => call.kind === "read");
    for (const read of reads)
      for (const minute of minutesOf(read)) this.#of(read, minute).sent += 1;
    return reads.flatMap((read) => this.#judge(read));
  }

  #judge(read: HttpExchange): readonly Broken[] {
    const { outcome, accountId, keyId } = read;
    const [minute, ...more] = minutesOf(read);
    if (outcome.kind === "lost" || minute === undefined || more.length > 0) return [];
    const window = this.#of(read, minute);
    if (!UNCOUNTED.has(outcome.status)) {
      window.served += 1;
      if (window.served <= LIMITS.readBudgetPerWindow) return [];
      return [{ accountId, message: `key ${keyId} had ${window.served} reads in one minute` }];
    }
    const isLimited = outcome.status === 429 && errorTextOf(outcome.body) === "rate_limited";
    if (!isLimited || window.sent > LIMITS.readBudgetPerWindow) return [];
    return [
      { accountId, message: `key ${keyId} was limited after ${window.sent} reads in its minute` },
    ];
  }

  #of({ keyId }: HttpExchange, minute: number): BudgetWindow {
    const windows = this.#keys.get(keyId) ?? new Map<number, BudgetWindow>();
    this.#keys.set(keyId, windows);
    const window = windows.get(minute) ?? { served: 0, sent: 0 };
    windows.set(minute, window);
    const [oldest] = windows.keys();
    if (windows.size > KEPT_WINDOWS && oldest !== undefined) windows.delete(oldest);
    return window;
  }
}

/** The clock minutes in which the request may have been admitted. */
function minutesOf({ sentAtMs, outcome }: HttpExchange): readonly number[] {
  const first = Math.floor(sentAtMs / LIMITS.readWindowMs);
  if (outcome.kind === "lost") return [first, first + 1];
  const last = Math.floor(outcome.atMs / LIMITS.readWindowMs);
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, index) => first + index);
}
