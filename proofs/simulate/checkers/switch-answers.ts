/** The answer of the dead man's switch agrees with its lines in the journal. */
import type { HttpExchange } from "../checker.ts";
import type { ModelAccount } from "./account-model.ts";
import { answeredDataOf, fieldsOf } from "./answers.ts";
import type { EffectLine } from "./order-answers.ts";

/**
 * The problems of the answer to a call of the dead man's switch. `effect` has the lines under the request's nonce,
 * oldest first; it may be empty. `seen` has the states of the account that the request may have read; null when these
 * are not kept.
 */
export function switchAnswerProblems(
  { seconds, action = "cancel" }: Readonly<Record<string, unknown>>,
  exchange: HttpExchange,
  {
    effect,
    seen,
  }: { readonly effect: readonly EffectLine[]; readonly seen: readonly ModelAccount[] | null },
): readonly string[] {
  const answered = fieldsOf(answeredDataOf(exchange)).cancelAllAfter;
  if (seconds === 0) return answered === null ? [] : ["it is armed after its end"];
  const armed = effect.map(({ line }) => line.event).find(({ type }) => type === "switchArmed");
  if (armed?.type !== "switchArmed") return unchangedProblems(fieldsOf(answered), action, seen);
  const dueMs = armed.atMs + Number(seconds) * 1_000;
  const { atMs, action: done } = fieldsOf(answered);
  return [
    ...(armed.deadlineMs === dueMs ? [] : [`its deadline is ${armed.deadlineMs}, not ${dueMs}`]),
    ...(armed.action === action ? [] : [`its action is ${armed.action}`]),
    ...(atMs === armed.deadlineMs && done === armed.action
      ? []
      : [`answered ${String(done)} at ${String(atMs)}`]),
  ];
}

/**
 * The problems of an answer without a line in the journal: a small renewal of the switch writes no line and its answer
 * has the current deadline. @rule D12.smallRenewal
 */
function unchangedProblems(
  { atMs, action: done }: Readonly<Record<string, unknown>>,
  action: unknown,
  seen: readonly ModelAccount[] | null,
): readonly string[] {
  if (done !== action) return ["nothing was armed"];
  if (seen === null || seen.some(({ armed }) => armed?.atMs === atMs && armed?.action === done)) {
    return [];
  }
  return [`answered ${String(done)} at ${String(atMs)}, which was never the current one`];
}
