/** Compares the answer of the dead man's switch with its lines in the journal. */
import type { Exchange } from "../history.ts";
import { dataOf, fieldsOf } from "./answers.ts";
import type { Placed } from "./order-answers.ts";

/** `effect` has the lines under the request's nonce, oldest first; it may be empty. */
export function switchProblems(
  { seconds, action = "cancel" }: Readonly<Record<string, unknown>>,
  exchange: Exchange,
  effect: readonly Placed[],
): readonly string[] {
  const answered = fieldsOf(dataOf(exchange)).cancelAllAfter;
  if (seconds === 0) return answered === null ? [] : ["it is armed after its end"];
  const armed = effect.map(({ line }) => line.event).find(({ type }) => type === "switchArmed");
  if (armed?.type !== "switchArmed") return ["nothing was armed"];
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
