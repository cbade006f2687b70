import type { AccountStateView } from "@propgate/contract";
import { distanceText, signedMoneyText } from "../format/numbers.ts";
import {
  type LimitReading,
  limitReadings,
  nearestLimit,
  remainingLossText,
} from "../parts/limit-words.ts";
import { type LimitSeverity, limitSeverityOf } from "../parts/meter.tsx";

/** True when the account was eliminated or closed, so that it never trades again. */
export function hasEnded({
  account,
  isClosed,
}: Pick<AccountStateView, "account" | "isClosed">): boolean {
  return isClosed || account?.evaluation.isEliminated === true;
}

/** A loss limit of which at least half is used at this moment, and how severe that is. */
export interface NearLimit {
  readonly limit: LimitReading;
  readonly severity: Extract<LimitSeverity, "notice" | "warn" | "danger">;
}

/**
 * The loss limit of which the present equity has used the greatest share. It is computed without waiting for an event
 * of the account. Null while less than half of every limit is used, while the account cannot be valued, and after the
 * account's end. @rule D13.limitNotice decides
 */
export function nearLimit(state: Pick<AccountStateView, "account" | "isClosed">): NearLimit | null {
  const { account } = state;
  if (account === null || hasEnded(state)) return null;
  const rules = account.drawdownRules;
  const limit = rules === null ? null : nearestLimit(limitReadings(rules));
  const severity = limitSeverityOf(limit?.share ?? null);
  if (limit === null || severity === "ok" || severity === "unknown") return null;
  return { limit, severity };
}

/**
 * The beginning of the window's title: the remaining loss of a limit that is nearly used up, else today's profit. Null
 * when today's profit is unknown and no limit is nearly used up, and after the account's end.
 */
export function titleFigure(state: Pick<AccountStateView, "account" | "isClosed">): string | null {
  const { account } = state;
  if (account === null || hasEnded(state)) return null;
  const near = nearLimit(state);
  if (near?.severity === "danger") {
    return `${distanceText(near.limit.remainingNow)} USD ${remainingLossText(near.limit)}`;
  }
  const { todayPnl } = account.account;
  return todayPnl === null ? null : `${signedMoneyText(todayPnl)} USD`;
}
