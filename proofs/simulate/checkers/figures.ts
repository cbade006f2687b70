/** Checks that the figures within one answer agree with each other. */
import { matchEndpoint, splitTarget } from "@propgate/contract";
import { type Instruments, pairId } from "@propgate/core";
import type { HttpExchange } from "../checker.ts";
import { fieldsOf } from "./answers.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The contradictions in the figures of an answer about the account or its positions; none for any other answer. */
export function figureProblems(
  { call }: HttpExchange,
  data: unknown,
  { instruments, isClosed }: { readonly instruments: Instruments; readonly isClosed: boolean },
): readonly string[] {
  if (call.kind !== "read" || data === null) return [];
  const match = matchEndpoint("GET", splitTarget(call.target).path);
  if (match.kind !== "endpoint") return [];
  if (match.name === "getAccount") return accountProblems(fieldsOf(data), isClosed);
  if (match.name === "getPositions" && Array.isArray(data)) {
    return data.flatMap((item) => positionProblems(fieldsOf(item), instruments));
  }
  return [];
}

/** A value in whole micro dollars, as in the ledger; NaN when it is not a number. */
export function microDollarsOf(value: unknown): number {
  return typeof value === "number" ? Math.round(value * 1e6) : Number.NaN;
}

function accountProblems(data: Fields, isClosed: boolean): readonly string[] {
  const account = fieldsOf(data.account);
  const evaluation = fieldsOf(data.evaluation);
  const balance = microDollarsOf(account.currentBalance);
  const equity = microDollarsOf(account.currentEquity);
  const size = microDollarsOf(evaluation.effectiveAccountSizeNumeric);
  const breakdown = fieldsOf(account.portfolioBalanceBreakdown);
  const expected: readonly (readonly [string, unknown, number])[] = [
    ["openPnL", account.openPnL, equity - balance],
    ["balanceChange", account.balanceChange, balance - size],
    ["totalPnL", account.totalPnL, equity - size],
    ["portfolioBalanceBreakdown.currentBalance", breakdown.currentBalance, balance],
    ["drawdownRules.currentBalance", fieldsOf(data.drawdownRules).currentBalance, balance],
  ];
  const wrong = expected.filter(([, actual, due]) => microDollarsOf(actual) !== due);
  const problems = wrong.map(
    ([name, actual, due]) => `${name} is ${String(actual)}, expected ${due / 1e6}`,
  );
  const isEnded = evaluation.isEliminated === true;
  if (isEnded === (data.elimination === null)) problems.push("elimination and isEliminated differ");
  if (isEnded && account.openPositions !== 0) problems.push("an ended account has open positions");
  return [...problems, ...nowProblems(data, { equity, isEnded, isClosed })];
}

/**
 * The problems of an account's answer: the present figures of its loss limits, and today's PnL, must agree with its
 * other figures. @rule D12.limitNow D13.todayPnl
 */
function nowProblems(
  { account, drawdownRules }: Fields,
  of: { readonly equity: number; readonly isEnded: boolean; readonly isClosed: boolean },
): readonly string[] {
  const { equity, isEnded } = of;
  const { limits, dailyLoss } = fieldsOf(drawdownRules);
  if (!Array.isArray(limits) || limits.length === 0) return ["there are no limits"];
  const problems = limits.map(fieldsOf).flatMap((limit) => {
    const floor = microDollarsOf(limit.floor);
    const isNow = microDollarsOf(limit.equityNow) === equity;
    const isLeft = microDollarsOf(limit.remainingNow) === equity - floor;
    return isNow && isLeft ? [] : [`a limit has ${JSON.stringify(limit)} at ${equity / 1e6}`];
  });
  const { todayPnl } = fieldsOf(account);
  const due = equity - microDollarsOf(fieldsOf(dailyLoss).dayStartEquity);
  // The answer does not show whether the account was closed, and the read may have been before or after that.
  const hasNone = todayPnl === null && (isEnded || of.isClosed);
  if (hasNone || (!isEnded && microDollarsOf(todayPnl) === due)) return problems;
  return [...problems, `todayPnl is ${String(todayPnl)}, expected ${due / 1e6}`];
}

/**
 * The problems of a position: a wrong sign, or a gain that is not its value minus its entry value. The gain is not
 * checked for pairs that need a conversion rate.
 */
function positionProblems(position: Fields, instruments: Instruments): readonly string[] {
  const { tradePair, positionType, netQuantity, netValue, unrealizedPnl } = position;
  const { averageEntryPrice: entry } = position;
  const instrument = instruments.get(pairId(String(tradePair)));
  if (instrument === undefined) return [`there is no pair ${String(tradePair)}`];
  if (typeof netQuantity !== "number" || typeof entry !== "number") return ["it has no size"];
  const isSigned = positionType === "LONG" ? netQuantity > 0 : netQuantity < 0;
  const problems = isSigned ? [] : [`a ${String(positionType)} of ${netQuantity} lots`];
  if (typeof netValue !== "number" || typeof unrealizedPnl !== "number") return problems;
  if (instrument.quote !== "USD") return problems;
  const gain = netValue - netQuantity * instrument.lotSize * entry;
  // Answers have averages with twelve digits.
  const isGained = Math.abs(gain - unrealizedPnl) <= 2e-6 + Math.abs(netValue) * 1e-11;
  if (!isGained) problems.push(`unrealizedPnl is ${unrealizedPnl}, expected ${gain}`);
  return problems;
}
